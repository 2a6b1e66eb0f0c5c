/** What a client reads of a failure. */
import t from 'tap'
import type { Failure } from '../../../../kernel/contract/failure.js'
import { toClientError } from '../../../../kernel/toolkit/errors/outcome.js'

const failed = (over: Partial<Failure>): Failure => ({
  blame: 'upstream',
  status: 500,
  code: 'upstream_error',
  message: 'The upstream failed.',
  ...over,
})

t.test('[CHAN-2] only an upstream’s status is mapped, and by its original one', async (t) => {
  const mapping = { 403: 418, 500: 204, 503: 599 }
  t.equal(toClientError(failed({ status: 503 }), mapping).status, 599)
  t.equal(toClientError(failed({}), mapping).status, 502, '204 has no body')
  t.equal(toClientError(failed({ clientStatus: 422 }), mapping).status, 422)
  const own = failed({ blame: 'client', code: 'insufficient_user_quota', status: 403 })
  t.equal(toClientError(own, mapping).status, 403)
  const refusedKey = failed({ blame: 'channel', code: 'channel:invalid_key', status: 403 })
  t.equal(toClientError(refusedKey, mapping).status, 418)
})

t.test(
  'when to come again is reported where the client reads "later", and nowhere else',
  async (t) => {
    const later = (status: number, mapping = {}) =>
      toClientError(failed({ status, retryAfterMs: 1_001 }), mapping).headers
    t.same(later(429), { 'retry-after': '2' })
    t.same(later(503), { 'retry-after': '2' })
    t.same(later(529), { 'retry-after': '2' }, 'reported as 503')
    t.equal(later(500), undefined)
    t.equal(later(429, { 429: 500 }), undefined, 'mapped to another status')
    t.same(later(500, { 500: 503 }), { 'retry-after': '2' })
    t.equal(toClientError(failed({ status: 429 })).headers, undefined)
  },
)

t.test(
  '[ERR-2] the client’s own mistakes keep their status, the upstream’s accidents are 502',
  async (t) => {
    const seen = (blame: Failure['blame'], status: number) =>
      toClientError(
        failed({
          blame,
          status,
          code: blame === 'client' ? 'upstream_rejected' : 'upstream_error',
        }),
      ).status
    t.same(
      [400, 404, 413, 422].map((status) => seen('client', status)),
      [400, 404, 413, 422],
    )
    t.same(
      [401, 402, 403].map((status) => seen('channel', status)),
      [502, 502, 502],
    )
    t.same(
      [500, 501, 504, 529].map((status) => seen('upstream', status)),
      [502, 502, 502, 503],
    )
    t.equal(seen('client', 507), 502, 'no mistake of a client is a 5xx')
  },
)
