/**
 * Results as the row of their task keeps them. Bytes an upstream sent along may be tens of MiB: they stand in a table of their own,
 * which only those read who fetch them.
 */
import type { Knex } from 'knex'
import { isObject } from '../../../kernel/contract/json.js'
import type { TaskResult } from '../../../kernel/contract/task.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import { keptAnswer, keptLongText, type Unshown } from './kept-text.js'

/** `inline`: its bytes are kept apart. */
export interface KeptResult extends Omit<TaskResult, 'data'> {
  readonly inline?: true
}

export interface KeptResults {
  readonly results: readonly KeptResult[]
  readonly bytes: readonly KeptBytes[]
  /** Why something is missing, as a sentence for the client. Absent: nothing is. */
  readonly missing?: string
}

interface KeptBytes {
  readonly index: number
  /** As the upstream sent them: a data URL. */
  readonly data: string
}

const resultsMax = 64
const addressCharactersMax = 8_192
/** Characters of the bytes of one task, in base64. */
const bytesCharactersMax = 64 * 1024 * 1024

export function keptResults(results: readonly TaskResult[], unshown: Unshown = {}): KeptResults {
  const kept: KeptResult[] = []
  const bytes: KeptBytes[] = []
  let left = bytesCharactersMax
  let tooLarge = 0
  for (const [index, { type, keyed, data, url, text, meta }] of known(results).entries()) {
    const isKept = typeof data === 'string' && data.length <= left && !data.includes('\0')
    if (isKept) {
      left -= data.length
      bytes.push({ index, data })
    } else if (typeof data === 'string') tooLarge += 1
    kept.push(
      present({
        type: resultTypes.has(type) ? type : 'file',
        keyed: keyed === true ? keyed : undefined,
        url: isAddress(url) ? url : undefined,
        text: typeof text === 'string' ? keptLongText(text, unshown) : undefined,
        meta: isObject(meta) ? keptAnswer(meta, unshown) : undefined,
        inline: isKept ? (true as const) : undefined,
      }),
    )
  }
  if (tooLarge === 0) return { results: kept, bytes }
  const missing = `${tooLarge} of ${results.length} results could not be kept: together they are larger than 48 MiB.`
  return { results: kept, bytes, missing }
}

const resultTypes: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'text', 'file'])

/** An adapter may break its contract here: what no contract knows is left out. */
function known(results: readonly TaskResult[]): readonly TaskResult[] {
  if (!Array.isArray(results)) return []
  return results.filter((one: TaskResult | undefined) => isObject(one)).slice(0, resultsMax)
}

/** One that is none, or no task could have, is left out. */
function isAddress(url: unknown): url is string {
  if (typeof url !== 'string' || url.length > addressCharactersMax) return false
  return /^(https?|gs):\/\//i.test(url) && !/[\p{Cc}\p{Surrogate}]/u.test(url)
}

/** Within the transaction that writes the results. */
export async function storeBytes(
  trx: Knex.Transaction,
  task: bigint,
  bytes: readonly KeptBytes[],
): Promise<void> {
  await dropBytes(trx, task)
  // One after the other: each may be large.
  for (const { index, data } of bytes) await trx('task_bytes').insert({ task, index, data })
}

export async function dropBytes(knex: Knex, task: bigint): Promise<void> {
  await knex('task_bytes').where({ task }).delete()
}

/** With its bytes, where they are kept apart. */
export async function wholeResult(
  knex: Knex,
  task: bigint,
  { index, inline, ...result }: KeptResult & { readonly index: number },
): Promise<TaskResult> {
  if (inline !== true) return result
  const found = await knex('task_bytes').where({ task, index }).first('data')
  return { ...result, ...(found !== undefined && { data: found.data }) }
}
