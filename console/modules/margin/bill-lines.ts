/** Lines of an upstream's bill, read in the browser: which column is what, and what each line says. */
import Papa from 'papaparse'

export interface BillFile {
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export interface BillColumns {
  readonly day: string
  readonly model: string
  readonly amount: string
}

/** Billionths of a US dollar by `day model`, and lines that cannot be read. */
export interface BillLines {
  readonly amounts: ReadonlyMap<string, bigint>
  /** Numbers of lines of the file, counted from 1. */
  readonly bad: readonly number[]
}

export function readBill(text: string): BillFile {
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: false })
  const [heads = [], ...rows] = data
  return { heads: heads.map((head) => head.trim()), rows }
}

/** Names of the usual exports, the most telling first. */
const usual: Readonly<Record<keyof BillColumns, readonly RegExp[]>> = {
  day: [/^(usage_)?date(_utc)?$/i, /start_time_iso/i, /start_time/i, /date|day|time|日期/i],
  model: [/^model(_version|_name|_id)?$/i, /model|模型/i, /line_item|sku|service|description/i],
  amount: [/^amount_value$/i, /^cost(_usd)?$/i, /amount|cost|price|total|charge|费用|金额/i],
}

/** What could not be recognised is empty. */
export function columnsOf({ heads }: BillFile): BillColumns {
  const found = (part: keyof BillColumns) =>
    usual[part].map((name) => heads.find((head) => name.test(head))).find(Boolean) ?? ''
  return { day: found('day'), model: found('model'), amount: found('amount') }
}

export function linesOf({ heads, rows }: BillFile, columns: BillColumns): BillLines {
  const at = (name: string) => heads.indexOf(name)
  const [day, model, amount] = [at(columns.day), at(columns.model), at(columns.amount)]
  const amounts = new Map<string, bigint>()
  const bad: number[] = []
  for (const [index, row] of rows.entries()) {
    if (row.every((cell) => cell.trim() === '')) continue
    const date = dayIn(row[day] ?? '')
    const value = amountIn(row[amount] ?? '')
    if (date === undefined || value === undefined) bad.push(index + 2)
    else {
      const key = `${date} ${(row[model] ?? '').trim()}`
      amounts.set(key, (amounts.get(key) ?? 0n) + value)
    }
  }
  return { amounts, bad }
}

/** `2026-01-31`, `2026-01-31T00:00:00Z`, `2026/1/31` or Unix seconds. */
function dayIn(text: string): string | undefined {
  const trimmed = text.trim()
  if (/^\d{10}(\.\d+)?$/.test(trimmed)) {
    return new Date(Number(trimmed) * 1000).toISOString().slice(0, 10)
  }
  const match = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(trimmed)
  if (match === null) return undefined
  const [, year = '', month = '', day = ''] = match
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = Date.parse(`${written}T00:00:00Z`)
  if (Number.isNaN(at)) return undefined
  return new Date(at).toISOString().startsWith(written) ? written : undefined
}

/** US dollars, rounded to the billionth part. */
function amountIn(text: string): bigint | undefined {
  const match = /^(-?)\$?(\d+)(?:\.(\d*))?(?:[eE](-?\d{1,2}))?$/.exec(
    text.trim().replaceAll(',', ''),
  )
  if (match === null) return undefined
  const [, sign, whole = '0', fraction = '', exponent = '0'] = match
  const scale = fraction.length - Number(exponent)
  const units = BigInt(whole + fraction)
  const size =
    scale <= 9
      ? units * 10n ** BigInt(9 - scale)
      : (units * 2n + 10n ** BigInt(scale - 9)) / (2n * 10n ** BigInt(scale - 9))
  return sign === '-' ? -size : size
}

export interface Compared {
  readonly day: string
  readonly model: string
  readonly ours: bigint
  readonly theirs: bigint
}

/** The greatest difference first. */
export function compared(
  ours: readonly { readonly day: string; readonly model: string; readonly cost: number | string }[],
  { amounts }: BillLines,
): readonly Compared[] {
  const costs = new Map(ours.map(({ day, model, cost }) => [`${day} ${model}`, BigInt(cost)]))
  const keys = [...new Set([...costs.keys(), ...amounts.keys()])]
  const rows = keys.map((key) => ({
    day: key.slice(0, 10),
    model: key.slice(11),
    ours: costs.get(key) ?? 0n,
    theirs: amounts.get(key) ?? 0n,
  }))
  const size = ({ ours, theirs }: Compared) => (theirs > ours ? theirs - ours : ours - theirs)
  return rows.sort((one, other) => {
    const difference = size(other) - size(one)
    return difference > 0n ? 1 : difference < 0n ? -1 : one.day.localeCompare(other.day)
  })
}
