import * as React from "react";

type Props = { name: string };

/** Says hello. */
export const Hello: React.FC<Props> = ({ name }) => {
  const shown = useMemo(() => name.trim(), [name]);
  return <Greeting<string> text={shown} />;
};

export function App() {
  return (
    <Layout>
      <Hello name="you" />
    </Layout>
  );
}
