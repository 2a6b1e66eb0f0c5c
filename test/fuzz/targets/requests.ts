/** Requests of clients: refused by a name, or read, bounded, and written for any other format. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Call } from '../../../kernel/contract/call.js'
import type { Format } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { FormatName } from '../../../kernel/contract/names.js'
import { frozen } from '../../conformance/kit.js'
import { orRefused } from '../assertions.js'
import { formats } from '../formats.js'
import { mutatedJson } from '../mutations.js'
import { requests as wires } from '../requests.js'
import type { Target } from '../target.js'

interface Input {
  readonly format: FormatName
  readonly text: string
}

const names = Object.keys(wires) as FormatName[]
const content = { model: 'm', stream: false }

export const requests: Target<Input> = {
  name: 'requests',
  inputs: fc.oneof(
    ...names.map((format) =>
      fc.record({ format: fc.constant(format), text: mutatedJson(wires[format]) }),
    ),
  ),
  check({ format: name, text }) {
    const format = formats[name]
    const value: unknown = JSON.parse(text)
    // The reader of bodies has refused these before a format sees them.
    if (!isReadable(value, text)) return
    const body = frozen(value)
    const requested = orRefused(() => format.check(body, content))
    if (requested === undefined) return
    assert.equal(typeof requested.model, 'string')
    assertBilled(format, body)
    const call = orRefused(() => format.decodeRequest(body, content))
    if (call !== undefined) for (const other of names) assertWritten(formats[other], frozen(call))
  },
}

function isReadable(value: unknown, text: string): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return !text.includes('"__proto__"') && !text.includes('1e999')
}

/** What the hold is made of. */
function assertBilled(format: Format, body: JsonObject): void {
  const limits = orRefused(() => format.limits(body)) ?? {}
  for (const count of [limits.maxOutput, limits.choices]) {
    assert.ok(count === undefined || (Number.isFinite(count) && count >= 0), `limits ${count}`)
  }
  const estimate = orRefused(() => format.estimate(body)) ?? {}
  for (const [name, count] of Object.entries(estimate)) {
    if (typeof count === 'object') continue
    assert.ok(
      count === undefined || (Number.isFinite(count) && count >= 0),
      `${name} estimated at ${count}`,
    )
  }
  orRefused(() => format.requestUsage(body))
}

function assertWritten(format: Format, call: Call): void {
  const lost = format.unsupportedFields(call)
  if (lost.refuse.length > 0) return
  const wire = orRefused(() => format.encodeRequest(call))
  if (wire !== undefined) assertBilled(format, JSON.parse(JSON.stringify(wire)))
}
