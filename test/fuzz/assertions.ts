/** What must hold of anything read from an upstream, whatever it sent. */
import assert from 'node:assert/strict'
import type { Event, Usage } from '../../kernel/contract/event.js'
import type { Failure } from '../../kernel/contract/failure.js'
import { finalUsage } from '../../kernel/pipeline/usage.js'
import { Refusal } from '../../kernel/toolkit/errors/index.js'

/** Undefined: it was refused. Any other error passes. */
export function orRefused<Read>(read: () => Read): Read | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** Whatever a format makes of a report, what is billed are whole counts, never below nothing. */
export function assertBillable(reported: Usage | undefined, estimatedTokens: number): void {
  assert.ok(
    Number.isFinite(estimatedTokens) && estimatedTokens >= 0,
    `estimatedTokens, here ${estimatedTokens}`,
  )
  const { usage } = finalUsage({
    reported,
    estimatedTokens: Math.ceil(estimatedTokens),
    estimate: { input: 1 },
  })
  const { serverTools = {}, quantity, dimensions: _, counts: __, ...counts } = usage
  for (const [name, count] of Object.entries({ ...counts, ...serverTools })) {
    assert.ok(
      count === undefined || (Number.isSafeInteger(count) && count >= 0),
      `${name}, here ${count}`,
    )
  }
  assert.ok(
    quantity === undefined || (Number.isFinite(quantity) && quantity >= 0),
    `quantity ${quantity}`,
  )
}

export function assertFailure(failure: Failure | undefined): void {
  if (failure === undefined) return
  const { blame, status, code, message } = failure
  assert.ok(['client', 'channel', 'upstream'].includes(blame), `blame ${blame}`)
  assert.ok(Number.isInteger(status) && status >= 0 && status <= 599, `status ${status}`)
  assert.equal(typeof code, 'string', 'the code')
  assert.equal(typeof message, 'string', 'the message')
}

/** Parts open once and close, nothing stands behind the end, and texts are texts. */
export function assertEvents(events: readonly Event[]): void {
  const open = new Set<string>()
  const seen = new Set<string>()
  let over = false
  for (const event of events) {
    assert.ok(!over, `a ${event.type} stands behind the end`)
    over = event.type === 'end' || event.type === 'failure'
    if (event.type === 'failure') assertFailure(event.failure)
    if (event.type === 'usage') assertBillable(event.usage, 0)
    if (!('at' in event)) continue
    const key = `${event.at.choice}/${event.at.part}`
    if (event.type === 'open') assert.ok(!seen.has(key), 'a part opens once')
    else assert.ok(open.has(key), `a ${event.type} stands in an open part`)
    seen.add(key)
    if (event.type === 'close') open.delete(key)
    else open.add(key)
    if (event.type === 'delta') {
      assert.ok(event.text === undefined || typeof event.text === 'string', 'the text is a text')
    }
  }
}
