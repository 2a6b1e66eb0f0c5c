/** Errors as responses clients read them. */
import t from 'tap'
import { clientError, Refusal } from '../../../../kernel/toolkit/errors/refusal.js'
import { encodeBytes, format, parsed, typesOf } from './wire.js'

t.test('[ERR-1] an error stands in the frame of the format, all strings', async (t) => {
  const error = clientError(new Refusal('invalid_request', { reason: 'No.', param: 'input' }))
  t.strictSame(format.encodeError(error), {
    status: 400,
    body: {
      error: {
        message: 'No.',
        type: 'invalid_request_error',
        param: 'input',
        code: 'invalid_request',
      },
    },
  })
})

t.test(
  '[ERR-1] in a stream it is an event named error, its fields where each reader looks',
  async (t) => {
    const bytes = format.encodeStreamError(clientError(new Refusal('out_of_funds')))
    const [event] = parsed(bytes)
    t.match(event, {
      type: 'error',
      code: 'out_of_funds',
      message: String,
      param: '',
      sequence_number: 0,
      error: { type: 'billing_error', code: 'out_of_funds', message: String, param: '' },
    })
  },
)

t.test('a failure in the middle of a stream takes the next number', async (t) => {
  const failure = {
    blame: 'upstream',
    status: 500,
    code: 'upstream_error',
    message: 'No.',
  } as const
  const bytes = encodeBytes([
    { type: 'start' },
    { type: 'open', at: { choice: 0, part: 0 }, part: { kind: 'text' } },
    { type: 'delta', at: { choice: 0, part: 0 }, text: 'Hi' },
    { type: 'failure', failure },
  ])
  t.equal(typesOf(parsed(bytes)).at(-1), 'error')
})

t.test('[ERR-2] a 200 with an error inside is a failure (M14)', async (t) => {
  const inside = { error: { type: 'server_error', code: null, message: 'Overloaded' } }
  t.match(format.readReply(inside), { failure: { status: 500, blame: 'upstream' } })
  const failed = { object: 'response', status: 'failed', error: null, output: [] }
  t.match(format.readReply(failed), { failure: { status: 502, blame: 'upstream' } })
  t.match(format.readReply({ error: 'Too many requests' }), { failure: { status: 502 } })
  t.match(format.readReply({ ok: true }), { failure: { code: 'upstream_error' } })
})
