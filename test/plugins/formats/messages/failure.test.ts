/** Errors as messages clients read them. */
import t from 'tap'
import { clientError, Refusal } from '../../../../kernel/toolkit/errors/refusal.js'
import create from '../../../../plugins/formats/messages/index.js'

const format = create()

t.test('[ERR-1] an error stands in the frame of the format, in its own words', async (t) => {
  const error = clientError(new Refusal('invalid_request', { reason: 'No.', param: 'max_tokens' }))
  t.strictSame(format.encodeError(error), {
    status: 400,
    body: {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'No.',
        param: 'max_tokens',
        code: 'invalid_request',
      },
    },
  })
})

t.test('[ERR-1] clients branch on the type, so every status has a word they know', async (t) => {
  const rows = [
    [400, 'invalid_request_error', 'invalid_request_error'],
    [401, 'authentication_error', 'authentication_error'],
    [403, 'permission_error', 'permission_error'],
    [403, 'billing_error', 'billing_error'],
    [404, 'not_found_error', 'not_found_error'],
    [413, 'invalid_request_error', 'request_too_large'],
    [415, 'strange', 'invalid_request_error'],
    [429, 'rate_limit_error', 'rate_limit_error'],
    [500, 'api_error', 'api_error'],
    [502, 'upstream_error', 'api_error'],
    [504, 'upstream_error', 'timeout_error'],
    [529, 'upstream_error', 'overloaded_error'],
    [503, 'overloaded_error', 'overloaded_error'],
  ] as const
  for (const [status, type, message] of rows) {
    const { body } = format.encodeError({ status, type, message: 'm', param: '', code: 'c' })
    t.match(body, { error: { type: message } }, `${status} ${type}`)
  }
})

t.test('[ERR-1] in a stream it is an event named error', async (t) => {
  const bytes = format.encodeStreamError(clientError(new Refusal('out_of_funds')))
  t.match(
    bytes.toString(),
    /^event: error\ndata: \{"type":"error","error":\{"type":"billing_error",.*\}\}\n\n$/,
  )
})

t.test('[ERR-2] a 200 with an error inside is a failure (M14)', async (t) => {
  const inside = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  t.match(format.readReply(inside), { failure: { status: 529, blame: 'upstream' } })
  t.match(format.decodeReply(inside), [{ type: 'failure', failure: { status: 529 } }])
  t.match(format.readReply({ ok: true }), { failure: { code: 'upstream_error' } })
})
