/** A page of a management list (management/README.md section 2): `p` counts from 1. */
export interface Page<Row> {
  readonly items: readonly Row[]
  readonly total: number
  readonly page: number
  readonly page_size: number
}

export interface PageQuery {
  readonly p: number
  readonly page_size: number
  readonly [filter: string]: unknown
}
