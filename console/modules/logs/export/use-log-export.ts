/** Reads the filtered rows page by page, up to a bound, and hands them over as a file. */
import { useMessage } from 'naive-ui'
import { onUnmounted, ref, shallowRef } from 'vue'
import { useI18n } from 'vue-i18n'
import type { Scope } from '../../../api/data.js'
import { ApiFailure, messageOf } from '../../../api/failure.js'
import { type LogFilter, type LogRow, readLog } from '../../../api/logs.js'
import { saveFile } from '../../../ui/save-file.js'
import { logCsv } from './log-csv.js'

/** As far as the log itself counts. */
const rowsMax = 10_000
const pageSize = 100

export function useLogExport() {
  const message = useMessage()
  const { t } = useI18n()
  const progress = shallowRef<{ readonly done: number; readonly total: number }>()
  const running = ref<AbortController>()

  async function start(scope: Scope, filter: LogFilter): Promise<void> {
    const ending = new AbortController()
    running.value = ending
    progress.value = { done: 0, total: 0 }
    try {
      const rows = await allRows(scope, filter, ending.signal)
      save(logCsv(rows, scope))
      if (rows.length === rowsMax) message.warning(t('logs.export.bounded', { count: rowsMax }))
      else message.success(t('logs.export.done', { count: rows.length }))
    } catch (error) {
      if (!ending.signal.aborted) message.error(messageOf(error))
    } finally {
      progress.value = undefined
    }
  }

  async function allRows(scope: Scope, filter: LogFilter, signal: AbortSignal) {
    // Rows that come meanwhile would move the others from page to page.
    const until = filter.end_timestamp || Math.floor(Date.now() / 1000)
    const rows: LogRow[] = []
    for (let p = 1; rows.length < rowsMax; p += 1) {
      const query = { ...filter, end_timestamp: until, p, page_size: pageSize }
      const page = await patiently(() => readLog(scope, query, signal), signal)
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

function save(text: string): void {
  saveFile(`usage-${new Date().toISOString().slice(0, 10)}.csv`, 'text/csv;charset=utf-8', text)
}
