/** One line of a menu. */
export interface MenuChoice<Key extends string = string> {
  readonly key: Key
  readonly label: string
  /** One of several of which one holds; absent: it is something to do. */
  readonly checked?: boolean
  /** A line stands above it. */
  readonly apart?: boolean
  /** It can be read, and nothing more. */
  readonly disabled?: boolean
  /** What it does cannot be undone. */
  readonly danger?: boolean
}
