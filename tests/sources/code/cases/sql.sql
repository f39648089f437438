-- Buyers and what they bought.
CREATE TABLE shop.buyers (
  id BIGINT PRIMARY KEY,
  name TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS orders (
  id BIGINT,
  buyer_id BIGINT REFERENCES shop.buyers (id)
);

CREATE INDEX orders_buyer ON orders (buyer_id);

CREATE VIEW recent AS
SELECT o.id, b.name
FROM orders o
JOIN shop.buyers b ON b.id = o.buyer_id;

CREATE OR REPLACE FUNCTION total(buyer BIGINT) RETURNS BIGINT AS $$
  SELECT count(*) FROM orders WHERE buyer_id = buyer;
$$ LANGUAGE sql;

INSERT INTO orders (id) VALUES (1);
