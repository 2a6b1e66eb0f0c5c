import t from 'tap'
import type { Failure } from '../../../../kernel/contract/failure.js'
import type { Settings } from '../../../../kernel/contract/kit.js'
import { systemClock } from '../../../../kernel/schedule/system-clock.js'
import { retryRule } from '../../../../plugins/stages/upstream/retry-rule.js'
import { quietLog } from '../../../kit/fakes.js'

const defaults = '401-404,407,409,429,500-503,505-523,525-599'

function setup(codes = defaults) {
  let text = codes
  let check: (text: string) => void = () => {}
  const rule = retryRule({
    settings: { string: () => text } as unknown as Settings,
    clock: systemClock,
    log: quietLog,
    services: {
      options: {
        check(_: string, given: typeof check) {
          check = given
        },
      } as never,
    },
  })
  return {
    rule,
    check: (sent: string) => check(sent),
    edit(next: string) {
      text = next
    },
  }
}

const failed = (blame: Failure['blame'], status: number): Failure => ({
  blame,
  status,
  code: 'upstream_error',
  message: 'failed',
})

t.test(
  '[CHAN-2] the blame and the original status decide whether another channel is tried',
  (t) => {
    const { rule } = setup()
    const table: readonly (readonly [Failure['blame'], number, boolean])[] = [
      // What is the client's fault is nobody else's either.
      ['client', 400, false],
      ['client', 422, false],
      ['client', 429, false],
      ['channel', 401, true],
      ['channel', 403, true],
      ['channel', 404, true],
      ['channel', 410, true],
      ['channel', 429, true],
      ['upstream', 500, true],
      ['upstream', 503, true],
      ['upstream', 529, true],
      // Another channel would work as long again.
      ['upstream', 504, false],
      ['upstream', 524, false],
      ['upstream', 408, false],
      // No answer came: own limits, nobody there.
      ['upstream', 0, true],
      ['channel', 0, true],
      // An error in place of an answer, a page, a redirect: the status reveals nothing of it.
      ['upstream', 200, true],
      ['channel', 302, true],
      // The body states what the status does not: a spent key reported as 400.
      ['channel', 400, true],
    ]
    for (const [blame, status, retried] of table) {
      t.equal(rule(failed(blame, status)), retried, `${blame} ${status}`)
    }
    t.end()
  },
)

t.test('a gateway that stops moves nothing to another channel, whatever is listed (P9)', (t) => {
  const { rule } = setup()
  t.equal(rule({ ...failed('channel', 503), code: 'shutting_down' }), false)
  t.equal(rule(failed('channel', 503)), true)
  t.end()
})

t.test('an admin changes the statuses, and the next failure is judged by them', (t) => {
  const { rule, edit } = setup()
  edit('500')
  t.equal(rule(failed('channel', 429)), false)
  t.equal(rule(failed('upstream', 500)), true)
  edit('')
  t.equal(rule(failed('upstream', 500)), false)
  t.equal(rule(failed('upstream', 0)), true)
  t.end()
})

t.test('a list that cannot be read is refused by name', (t) => {
  const { check } = setup()
  for (const text of ['', defaults, '429，500-503']) t.doesNotThrow(() => check(text), text)
  for (const text of ['42', '600', '500-400', 'all', '500-']) {
    t.throws(() => check(text), { code: 'invalid_field', param: 'AutomaticRetryStatusCodes' }, text)
  }
  t.end()
})
