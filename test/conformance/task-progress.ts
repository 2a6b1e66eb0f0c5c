/** What an adapter may report, whatever its upstream sent: states, counts and results the gateway can go on with. */
import assert from 'node:assert/strict'
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
import type {
  Progress,
  Submission,
  TaskQuantities,
  TaskResult,
} from '../../kernel/contract/task.js'

const states: readonly unknown[] = ['queued', 'running', 'succeeded', 'failed', 'unknown']
const types: readonly unknown[] = ['image', 'video', 'audio', 'text', 'file']
const keepBytesMax = 16 * 1024

export function assertProgress(progress: Omit<Progress, 'ref'>): void {
  const { state, word, percent, results, reason, made, keep, raw, again } = progress
  assert.ok(states.includes(state), `the state ${JSON.stringify(state)} is one of the contract`)
  assertText(word, 'the word of the upstream')
  assertText(reason, 'the reason')
  if (percent !== undefined) assertBetween(percent, 0, 100, 'percent')
  for (const result of results ?? []) assertResult(result)
  if (made !== undefined) assertQuantities(made, 'made')
  for (const name of ['createdAt', 'updatedAt'] as const) {
    const time = progress[name]
    if (time !== undefined) assertBetween(time, 0, 8.64e15, name)
  }
  if (again !== undefined) assert.equal(again, true, 'again is true or absent')
  if (keep !== undefined) assertKeep(keep)
  assert.ok(isObject(raw), 'raw is the answer, an object of JSON')
  assertJson(raw, 'raw')
}

export function assertSubmission({ ref, keep, progress, made }: Submission): void {
  assert.ok(
    typeof ref === 'string' && /^[^\p{Cc}]{1,1024}$/u.test(ref) && ref.trim() === ref,
    `the id of the task is a text that can be kept, here ${JSON.stringify(ref)}`,
  )
  if (keep !== undefined) assertKeep(keep)
  if (progress !== undefined) assertProgress(progress)
  if (made !== undefined) assertQuantities(made, 'made')
}

/** Counts are of at least 0 and finite, dimensions are texts. */
export function assertQuantities(
  { counts = {}, dimensions = {} }: Partial<TaskQuantities>,
  what: string,
): void {
  for (const [unit, count] of Object.entries(counts)) {
    assertBetween(count, 0, Number.MAX_VALUE, `${what}, the count of ${unit}`)
  }
  for (const [name, value] of Object.entries(dimensions)) {
    assert.equal(typeof value, 'string', `${what}, the dimension ${name} is a text`)
    assert.ok(!value.includes('\0'), `${what}, the dimension ${name} can be kept`)
  }
}

function assertResult(result: TaskResult): void {
  const { type, url, data, text, keyed, meta } = result
  assert.ok(
    types.includes(type),
    `the type ${JSON.stringify(type)} of a result is one of the contract`,
  )
  const present = [url, data, text].filter((one) => one !== undefined)
  assert.ok(present.length > 0, 'a result has an address, bytes or a text')
  for (const one of present) assert.equal(typeof one, 'string', 'a result is made of texts')
  if (url !== undefined && keyed === undefined) {
    assert.ok(/^https?:/i.test(url) && URL.canParse(url), `${url} is an http or https address`)
  }
  if (data !== undefined)
    assert.match(data.slice(0, 200), /^data:[^,]*;base64,/, 'data is a data URL')
  if (keyed !== undefined) assert.equal(keyed, true, 'keyed is true or absent')
  if (meta !== undefined) assertJson(meta, 'meta')
}

function assertKeep(keep: JsonObject): void {
  assertJson(keep, 'keep')
  const text = JSON.stringify(keep)
  assert.ok(!text.includes('\\u0000'), 'keep can be kept: no database takes the character 0')
  const bytes = Buffer.byteLength(text)
  assert.ok(bytes <= keepBytesMax, `keep is at most 16 KiB, here ${bytes} bytes`)
}

function assertJson(value: JsonObject, what: string): void {
  assert.ok(isObject(value), `${what} is an object`)
  assert.deepEqual(JSON.parse(JSON.stringify(value)), value, `${what} is JSON`)
}

function assertText(value: unknown, what: string): void {
  assert.ok(value === undefined || typeof value === 'string', `${what} is a text`)
}

function assertBetween(value: unknown, min: number, max: number, what: string): void {
  const isFine = typeof value === 'number' && value >= min && value <= max
  assert.ok(isFine, `${what} is a number from ${min} to ${max}, here ${value}`)
}
