/** A group somebody may put into an order, with what helps to choose it. */
export interface GroupChoice {
  readonly name: string
  /** Factor over every price; a text where it is none. */
  readonly ratio: number | string
  readonly desc: string
}
