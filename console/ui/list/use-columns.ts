/** The columns of a list as they are shown: chosen ones in the chosen order, amounts of each with one number of places. */
import type { DataTableColumn, DataTableColumns } from 'naive-ui'
import { computed } from 'vue'
import { readChoice } from '../list-tools/column-choice.js'
import { useMoney } from '../money.js'
import type { ListColumn, ListColumns } from './list-column.js'

interface Options<Row> {
  readonly columns: ListColumns<Row>
  readonly rows: readonly Row[]
  /** As `readChoice` reads it. */
  readonly choice: string
  readonly minWidth: number | undefined
}

/** A list with so few columns needs no choice. */
const fewColumns = 4
/** Of a column that states none, pixels. */
const widthUsual = 100
/** A table is not narrower than a phone. */
const widthLeast = 320

export function useColumns<Row>(options: () => Options<Row>) {
  const { placesOf, moneyAt } = useMoney()
  const split = computed(() => splitColumns(options().columns))
  const usual = computed(() => split.value.movable.map(keyOf))
  const lesser = computed(() => split.value.movable.filter(isLesser).map(keyOf))
  const places = computed(() => readChoice(options().choice, usual.value, lesser.value))
  const shown = computed(() => {
    const byKey = new Map(split.value.movable.map((one) => [keyOf(one), one]))
    const chosen = places.value.flatMap(({ key, shown: isShown }) => {
      const column = byKey.get(key)
      return column && (isShown || staysOf(column)) ? [column] : []
    })
    return [...split.value.leading, ...chosen, ...split.value.trailing]
  })
  const hidden = computed(() => {
    const left = new Set(shown.value)
    return split.value.movable.filter((one) => !left.has(one))
  })

  const drawn = computed<DataTableColumns<Row>>(() =>
    shown.value.map((column, at) => edged(spanning(amounts(column), shown.value.length - at), at)),
  )

  function amounts(column: ListColumn<Row>): DataTableColumn<Row> {
    if (!('renderAmount' in column)) return column
    const { amounts: amountsOf, renderAmount, about, ...rest } = column
    const all = options().rows.flatMap((row) => amountsOf(row).filter((one) => one != null))
    const digits = placesOf(all, about)
    const longest = Math.max(0, ...all.map((one) => moneyAt(one, digits).length))
    return {
      align: 'right',
      ...rest,
      ...(rest.width && { width: Math.max(rest.width, amountWidth(longest)) }),
      render: (row) => renderAmount(row, (quota) => moneyAt(quota, digits)),
    }
  }

  return {
    drawn,
    /** Those somebody can move, with what they are called. */
    choosable: computed(() => {
      const { movable } = split.value
      if (movable.filter((one) => !staysOf(one)).length <= fewColumns) return []
      return movable.map((one) => ({
        ...{ key: keyOf(one), label: labelOf(one) },
        ...{ stays: staysOf(one), lesser: isLesser(one) },
      }))
    }),
    /** What a list is sorted by that is hidden. */
    sortedHidden: computed(() => {
      const column = hidden.value.find((one) => 'sorted' in one && one.sorted)
      return column && labelOf(column)
    }),
    width: computed(() => {
      const { minWidth } = options()
      if (minWidth === undefined) return undefined
      const less = sumOf(hidden.value.map(widthOf))
      const more =
        sumOf(drawn.value.slice(1).map(widthOf)) - sumOf(shown.value.slice(1).map(widthOf))
      return less === 0 ? minWidth + more : Math.max(widthLeast, minWidth - less + more)
    }),
  }
}

/** What chooses or opens a row stands first, what is done with it last. */
function splitColumns<Row>(columns: ListColumns<Row>) {
  const first = columns.findIndex(isMovable)
  return {
    leading: columns.filter((one, at) => at < first && !isMovable(one)),
    movable: columns.filter(isMovable),
    trailing: columns.filter((one, at) => at >= first && !isMovable(one)),
  }
}

function isMovable(column: ListColumn<never>): boolean {
  if ('type' in column || !('key' in column)) return false
  return column.key !== 'actions' && !('fixed' in column && column.fixed)
}

function keyOf(column: object): string {
  return 'key' in column ? String(column.key) : ''
}

function staysOf(column: object): boolean {
  return 'stays' in column && column.stays === true
}

function isLesser(column: object): boolean {
  return 'lesser' in column && column.lesser === true
}

function labelOf(column: object): string {
  if ('label' in column && typeof column.label === 'string') return column.label
  return 'title' in column && typeof column.title === 'string' ? column.title : keyOf(column)
}

/** A line with so many letters, a sign before them, and the room at its sides. */
function amountWidth(letters: number): number {
  return Math.ceil((letters + 1) * 9) + 16
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}

function widthOf(column: object): number {
  const { width, minWidth } = column as { readonly width?: number; readonly minWidth?: number }
  return Number(width ?? minWidth ?? widthUsual)
}

/** A table begins where the filters above it do; that room is not taken from its first column. */
function edged<Row>(column: DataTableColumn<Row>, at: number): DataTableColumn<Row> {
  if (at > 0 || 'type' in column || typeof column.width !== 'number') return column
  return { ...column, width: column.width + 8 }
}

/** A cell over many columns ends where the table does. */
function spanning<Row>(column: DataTableColumn<Row>, left: number): DataTableColumn<Row> {
  if ('type' in column || !('colSpan' in column) || column.colSpan === undefined) return column
  const { colSpan } = column
  return { ...column, colSpan: (row, at) => Math.min(colSpan(row, at), left) }
}
