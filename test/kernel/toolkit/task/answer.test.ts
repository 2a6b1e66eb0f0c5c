/** What an upstream sends of a task, as it can be kept and counted. */
import t from 'tap'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import {
  checkVideo,
  quantities,
  refAt,
  stateReader,
  textAt,
  timeOf,
} from '../../../../kernel/toolkit/task/index.js'

t.test('an id that fits into no address or database is none', async (t) => {
  for (const id of ['task-1', 'models/m/operations/a', '任务', 17]) {
    t.equal(refAt({ id }, 'id'), String(id))
  }
  for (const id of ['', ' ', 'a ', ' a', 'a\0', 'a\nb', 'x'.repeat(1025), null, {}, [], true]) {
    t.equal(refAt({ id }, 'id'), undefined, JSON.stringify(id))
  }
})

t.test('texts hold nothing a database refuses', async (t) => {
  t.equal(textAt({ size: '720p\0' }, 'size'), '720p\ufffd')
  t.equal(textAt({ size: '\ud800x' }, 'size'), '\ufffdx')
  t.strictSame(quantities({}, { size: '720p\0' }).dimensions, { size: '720p\ufffd' })
})

t.test('[BILL-6] what is no count is left out, and is not counted as something else', async (t) => {
  const { counts } = quantities({ second: 5, token: Number.POSITIVE_INFINITY, piece: Number.NaN })
  t.strictSame(counts, { second: 5 })
  t.strictSame(quantities({ second: -1, piece: 0, token: undefined }).counts, { piece: 0 })
})

t.test('a time no date can be is none', async (t) => {
  t.equal(timeOf(1_700_469_398), 1_700_469_398_000)
  t.equal(timeOf('1700469398000'), 1_700_469_398_000)
  for (const time of [1e308, 8.64e15 + 1, '9'.repeat(40), -1, 0, 'soon', '0100-01-01', null, {}]) {
    t.equal(timeOf(time), undefined, JSON.stringify(time))
  }
})

t.test('an object in place of a word is none, whatever it calls itself', async (t) => {
  const disguised: JsonObject = { toString: null, valueOf: null }
  const stateOf = stateReader({ failed: ['failed', '[object Object]'] })
  for (const word of [disguised, {}, ['failed'], null]) t.equal(stateOf(word), 'unknown')
  for (const action of [disguised, ['extend'], null, 5, 'a b']) {
    t.throws(() => checkVideo({ model: 'm', prompt: 'x', action }), {
      code: 'invalid_request',
      param: 'action',
    })
  }
  t.equal(checkVideo({ model: 'm', prompt: 'x', action: 'extend' }), 'm')
})
