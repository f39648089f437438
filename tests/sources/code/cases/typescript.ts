import type { Shelf } from '@/stock/shelf'
import { refill } from './refill'
export { Price } from './price'
export * from './kinds'

/** Who may buy. */
export interface Buyer<T> extends Person, HasName<T> {
  name: string
  pay(amount: number): Promise<void>
}

export type Id = string | number

export enum Color {
  Red = 'red',
  Blue = 'blue',
}

@Injectable()
export class Shop implements Seller, Open {
  private readonly shelf: Shelf

  constructor(private readonly http: HttpClient) {
    this.shelf = new Shelf()
  }

  @Input() label = ''

  @HostListener('click', ['$event'])
  sell<T>(to: Buyer<T>): Receipt {
    return print(to)
  }
}

export abstract class Base {
  abstract open(): void
}

export function overload(a: string): string
export function overload(a: number): number
export function overload(a: any): any {
  return a
}

declare global {
  interface Window {
    shop: Shop
  }
}

namespace Prices {
  export const VAT = 0.19
  export function gross(net: number) {
    return net * (1 + VAT)
  }
}

const enum Size { S, M }

export const useShop = defineStore('shop', {
  state: () => ({ open: false }),
})
