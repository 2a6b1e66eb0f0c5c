/** What an upstream repeats of the key it was queried with. */
import t from 'tap'
import type { Failure } from '../../../../kernel/contract/failure.js'
import {
  maskedBody,
  maskedFailure,
  secretsOfCall,
} from '../../../../kernel/toolkit/errors/masked-failure.js'

const key = '6c616e74-6572 "quoted"/one'
const failure = (message: string, more: Partial<Failure> = {}): Failure => ({
  blame: 'client',
  status: 400,
  code: 'upstream_rejected',
  message,
  ...more,
})

t.test('[ERR-2] a key goes in every spelling, wherever it stands', async (t) => {
  const spellings = [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]
  for (const spelt of spellings) {
    t.strictSame(
      maskedFailure(
        failure(`no ${spelt}, no`, { upstreamMessage: spelt, type: spelt, param: spelt }),
        ` ${key} `,
      ),
      failure('no ***, no', { upstreamMessage: '***', type: '***', param: '***' }),
    )
    t.equal(maskedBody(Buffer.from(`{"a":"${spelt}"}`), key).toString(), '{"a":"***"}')
  }
})

t.test('[ERR-2] the beginning of a key where a text was cut goes too', async (t) => {
  t.equal(maskedFailure(failure(`your ${key.slice(0, 9)}…`), key).message, 'your ***…')
  t.equal(maskedFailure(failure(`your ${key.slice(0, 9)}`), key).message, `your ${key.slice(0, 9)}`)
  t.equal(maskedFailure(failure('your cat…'), key).message, 'your cat…')
})

t.test('each part of a key of several goes, short ones and other words stay', async (t) => {
  const result = maskedFailure(failure('id-of-it secret-of-it eu'), 'id-of-it|secret-of-it|eu')
  t.equal(result.message, '*** *** eu')
  const body = Buffer.from('nothing of it')
  t.equal(maskedBody(body, key), body)
  t.strictSame(maskedFailure(failure('plain')), failure('plain'))
})

t.test(
  '[ERR-2] headers an operator wrote go like the key, with their scheme and without',
  async (t) => {
    const headers = { 'x-custom': 'value-of-it', authorization: 'Custom other-value', gone: null }
    const secrets = secretsOfCall({ key, headers })
    const echo = failure('value-of-it, Custom other-value, other-value, x-custom')
    t.equal(maskedFailure(echo, ...secrets).message, '***, ***, ***, x-custom')
    t.strictSame(secretsOfCall({ key }), [key])
  },
)
