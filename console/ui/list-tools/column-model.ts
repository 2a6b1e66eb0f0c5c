/** A column somebody can show, hide and move. */
export interface ChoosableColumn {
  readonly key: string
  readonly label: string
  /** It names the row, and is always shown. */
  readonly stays: boolean
  /** Hidden until somebody chooses it. */
  readonly lesser: boolean
}
