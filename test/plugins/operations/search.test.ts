import t from 'tap'
import create from '../../../plugins/operations/search/index.js'
import { refusedField, sent, textOf } from './asking.js'

const search = create()
const oneSearch = { input: 0, output: 0, serverTools: { web_search_preview: 1 } }
const text =
  '{ "commands" : [{"q":"caf\\u00e9","model":"inner"}],"n":1.0e0 , "model" : "m","big":12345678901234567890}\n'

t.test('[FMT-12] every byte stays but those of a mapped model', async (t) => {
  const request = sent(text)
  t.match(search.check(request), { model: 'm', stream: false })
  t.equal(search.named(request, 'm'), request)
  t.equal(textOf(request), text)
  t.equal(textOf(search.named(request, 'other')), text.replace('"m"', '"other"'))
})

t.test('the model is all that is checked', async (t) => {
  t.equal(refusedField(search, { model: 'm', input: 5, stream: 'maybe', n: -1 }), undefined)
  t.equal(refusedField(search, { query: 'a' }), 'model')
  t.equal(refusedField(search, { model: 7 }), 'model')
})

t.test('it costs one search and no tokens, reported only of a success', async (t) => {
  const wire = sent(text)
  t.strictSame(search.estimate(wire), oneSearch)
  t.strictSame(search.limits(wire), { maxOutput: 0 })
  t.strictSame(search.readReply({ anything: [] }, wire), { usage: oneSearch, estimatedTokens: 0 })
  const failed = search.readReply({ error: { message: 'no' } }, wire)
  t.match(failed, { estimatedTokens: 0, failure: { code: 'upstream_error' } })
  t.equal(failed.usage, undefined)
})

t.test('an answer of another type passes in the buffers it came in', async (t) => {
  const watch = search.watch('text/plain; charset=utf-8', sent(text))
  const piece = Buffer.from('some of it')
  t.match(watch, { binary: true, started: false, ended: false, estimatedTokens: 0 })
  t.equal(watch.push(piece), piece)
  t.match(watch, { started: true, ended: false })
  t.equal(watch.usage, undefined, 'it may still break off')
  t.equal(watch.flush().length, 0)
  t.strictSame(watch.usage, oneSearch)
  t.ok(watch.ended)
  t.notOk(search.watch('text/event-stream', sent(text)).binary, 'a stream can be reported an error')
})
