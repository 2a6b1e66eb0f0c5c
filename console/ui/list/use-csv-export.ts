/** Reads a filtered list page by page, up to a bound, and hands it over as a file for spreadsheets. */
import { useMessage } from 'naive-ui'
import { onUnmounted, ref, shallowRef } from 'vue'
import { ApiFailure, messageOf } from '../../api/failure.js'
import type { Page, PageQuery } from '../../api/page.js'
import { type Cell, csvText } from '../csv.js'
import { saveFile } from '../save-file.js'

/** As far as the gateway counts, and its pages reach. */
const rowsMax = 10_000
const pageSize = 100

export interface CsvOptions<Row> {
  /** What the file is called, before the day. */
  readonly name: string
  /** Rows that come meanwhile move others from page to page: the filter must end at a moment. */
  readonly read: (query: PageQuery, signal: AbortSignal) => Promise<Page<Row>>
  readonly columns: readonly (readonly [title: string, cell: (row: Row) => Cell])[]
  /** Shown at the end; `isAll`: there was no more. */
  readonly summary: (count: number, isAll: boolean) => string
}

export function useCsvExport<Row>() {
  const message = useMessage()
  const progress = shallowRef<{ readonly done: number; readonly total: number }>()
  const running = ref<AbortController>()

  async function start(terms: CsvOptions<Row>): Promise<void> {
    if (progress.value !== undefined) return
    const ending = new AbortController()
    running.value = ending
    progress.value = { done: 0, total: 0 }
    try {
      const rows = await allRows(terms.read, ending.signal)
      save(terms, rows)
      const isAll = rows.length < rowsMax
      message[isAll ? 'success' : 'warning'](terms.summary(rows.length, isAll))
    } catch (error) {
      if (!ending.signal.aborted) message.error(messageOf(error))
    } finally {
      progress.value = undefined
    }
  }

  async function allRows(read: CsvOptions<Row>['read'], signal: AbortSignal): Promise<Row[]> {
    const rows: Row[] = []
    for (let p = 1; rows.length < rowsMax; p += 1) {
      const page = await patiently(() => read({ p, page_size: pageSize }, signal), signal)
      rows.push(...page.items)
      progress.value = { done: rows.length, total: page.total }
      if (page.items.length < pageSize) break
    }
    return rows.slice(0, rowsMax)
  }

  const cancel = () => running.value?.abort()
  onUnmounted(cancel)
  return { progress, start, cancel }
}

function save<Row>({ name, columns }: CsvOptions<Row>, rows: readonly Row[]): void {
  const head = columns.map(([title]) => title)
  const text = csvText([head, ...rows.map((row) => columns.map(([, cell]) => cell(row)))])
  saveFile(`${name}-${new Date().toISOString().slice(0, 10)}.csv`, 'text/csv;charset=utf-8', text)
}

/** Where the gateway names a time to wait, waits that long and goes on (LIMIT-8). */
async function patiently<Answer>(ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      const wait =
        error instanceof ApiFailure && error.status === 429 ? error.retryAfter : undefined
      if (wait === undefined) throw error
      await passed(wait * 1000, signal)
    }
  }
}

function passed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
