/** Errors as generative clients read them. */
import t from 'tap'
import { clientError, Refusal } from '../../../../kernel/toolkit/errors/refusal.js'
import { encodeStreamError } from '../../../../plugins/formats/generative/framing.js'
import { asArray, format, hints } from './wire.js'

const funds = clientError(new Refusal('out_of_funds'))

t.test(
  '[ERR-1] an error stands in the frame of the format, with its word for the status',
  async (t) => {
    const error = clientError(new Refusal('invalid_request', { reason: 'No.', param: 'contents' }))
    t.strictSame(format.encodeError(error), {
      status: 400,
      body: {
        error: {
          code: 'invalid_request',
          message: 'No.',
          status: 'INVALID_ARGUMENT',
          type: 'invalid_request_error',
          param: 'contents',
        },
      },
    })
  },
)

t.test('[ERR-1] every status has a word of the service', async (t) => {
  const rows = [
    [400, 'INVALID_ARGUMENT'],
    [401, 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED'],
    [404, 'NOT_FOUND'],
    [409, 'ABORTED'],
    [413, 'INVALID_ARGUMENT'],
    [429, 'RESOURCE_EXHAUSTED'],
    [499, 'CANCELLED'],
    [500, 'INTERNAL'],
    [502, 'UNAVAILABLE'],
    [503, 'UNAVAILABLE'],
    [504, 'DEADLINE_EXCEEDED'],
    [599, 'INTERNAL'],
  ] as const
  for (const [status, word] of rows) {
    const { body } = format.encodeError({ ...funds, status })
    t.match(body, { error: { status: word } }, `${status}`)
  }
})

t.test(
  '[ERR-1] in a stream of events it is one, its code the status the clients look for',
  async (t) => {
    const bytes = format.encodeStreamError(funds)
    const [, json = ''] = /^data: (.*)\n\n$/.exec(bytes.toString('utf8')) ?? []
    const { error } = JSON.parse(json)
    for (const field of ['message', 'type', 'param', 'status']) {
      t.equal(typeof error[field], 'string', field)
    }
    t.equal(error.code, 403)
    t.strictSame(error.details, [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'out_of_funds' },
    ])
  },
)

t.test('in an array it is the last element, wherever the stream stood', async (t) => {
  const readResult = (begun: boolean) =>
    encodeStreamError(funds, { hints: asArray, begun }).toString()
  t.match(JSON.parse(readResult(false)), [{ error: { code: 403, status: 'PERMISSION_DENIED' } }])
  t.match(JSON.parse(`[{"a":1}${readResult(true)}`), [{ a: 1 }, { error: { code: 403 } }])
  const events = encodeStreamError(funds, { hints: hints, begun: true })
  t.equal(events.toString(), `\n\n${format.encodeStreamError(funds)}`, 'a torn event ends first')
})

t.test('[ERR-2] a 200 with an error inside is a failure (M14)', async (t) => {
  const rows = [
    [{ code: 429, status: 'RESOURCE_EXHAUSTED', message: 'm' }, 429, 'channel'],
    [{ code: '503', message: 'm' }, 503, 'upstream'],
    [{ status: 'INVALID_ARGUMENT', message: 'm' }, 400, 'client'],
    [{ status: 'UNAUTHENTICATED' }, 401, 'channel'],
    [{ status: 'toString' }, 200, 'upstream'],
    ['Something broke', 200, 'upstream'],
  ] as const
  for (const [error, status, blame] of rows) {
    t.match(format.readReply({ error }).failure, { status, blame }, JSON.stringify(error))
    t.match(format.decodeReply({ error }), [{ type: 'failure', failure: { status, blame } }])
  }
  for (const nothing of [{ usageMetadata: {} }, { candidates: [] }, { candidates: 'x' }]) {
    t.match(format.readReply(nothing), { failure: { code: 'upstream_error' } })
  }
})
