import t from 'tap'
import {
  anyCredential,
  bearerCredential,
  generativeCredential,
  messagesCredential,
} from '../../../../kernel/toolkit/endpoint/credential.js'

const none = { kind: 'none' } as const
const key = (text: string) => ({ kind: 'key', key: text }) as const

t.test('[AUTH-1] the scheme may be there or not, in any case, and is not part of the key', (t) => {
  for (const authorization of ['Bearer sk-a', 'bearer sk-a', 'BEARER   sk-a ', 'sk-a', ' sk-a']) {
    t.strictSame(bearerCredential({ authorization }), key('sk-a'), authorization)
  }
  for (const authorization of [undefined, '', ' ', 'Bearer', 'bearer ']) {
    t.strictSame(bearerCredential({ authorization }), none, String(authorization))
  }
  t.strictSame(bearerCredential({ authorization: 'bearers' }), key('bearers'))
  t.end()
})

t.test('[AUTH-1] of several places the first that holds anything counts', (t) => {
  const headers = { 'x-goog-api-key': 'goog', 'x-api-key': 'x', authorization: 'Bearer auth' }
  const all = { headers, query: { key: 'query' } }
  t.strictSame(bearerCredential(headers), key('auth'))
  t.strictSame(messagesCredential(headers), key('x'))
  t.strictSame(messagesCredential({ ...headers, 'x-api-key': '' }), key('auth'))
  t.strictSame(generativeCredential(all), key('query'))
  t.strictSame(generativeCredential({ ...all, query: { key: '' } }), key('goog'))
  t.strictSame(
    generativeCredential({ headers: { ...headers, 'x-goog-api-key': '' }, query: {} }),
    key('auth'),
  )
  t.strictSame(anyCredential(all), key('query'))
  t.strictSame(anyCredential({ headers, query: {} }), key('goog'))
  t.strictSame(anyCredential({ headers: { 'x-api-key': 'x' }, query: {} }), key('x'))
  t.strictSame(anyCredential({ headers: {}, query: {} }), none)
  t.end()
})

t.test('a header that comes twice is one key nobody has', (t) => {
  t.strictSame(messagesCredential({ 'x-api-key': ['a', 'b'] }), key('a,b'))
  t.end()
})

t.test('a hostile key in an address is read in linear time', (t) => {
  const hostile = `bearer${' '.repeat(200_000)}x\ny`
  t.strictSame(generativeCredential({ headers: {}, query: { key: hostile } }), key('x\ny'))
  t.end()
})
