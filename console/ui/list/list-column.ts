/** Columns of a list: those of the component library, and what choosing columns and amounts of one column need besides. */
import type { DataTableColumn } from 'naive-ui'
import type { VNodeChild } from 'vue'
import type { Quota } from '../money.js'

type Column<Row> = DataTableColumn<Row> & {
  /** What it is called where its title is drawn. */
  readonly label?: string
  /** It names the row, and is never hidden. */
  readonly stays?: boolean
  /** Hidden until somebody chooses it. */
  readonly lesser?: boolean
  /** The list is sorted by it, which is stated where it is hidden. */
  readonly sorted?: boolean
}

/** Amounts are shown with as many places as the longest of the page needs, right aligned. */
interface AmountColumn<Row> {
  readonly key: string
  readonly title: string | (() => VNodeChild)
  readonly label?: string
  readonly width?: number
  readonly align?: 'left' | 'right'
  readonly sorted?: boolean
  /** Less exact: as many places as show the smallest amount not to be nothing. */
  readonly about?: boolean
  readonly amounts: (row: Row) => readonly (Quota | null | undefined)[]
  /** @param money writes an amount as all of the column are written */
  readonly renderAmount: (row: Row, money: (quota: Quota) => string) => VNodeChild
}

export type ListColumn<Row> = Column<Row> | AmountColumn<Row>
export type ListColumns<Row> = ListColumn<Row>[]
