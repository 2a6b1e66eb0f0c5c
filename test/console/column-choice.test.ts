/** Which columns of a list are shown, as one text that outlives releases; and saved views as they are kept. */
import t from 'tap'
import { choiceText, readChoice } from '../../console/ui/list-tools/column-choice.js'
import { isSameView, nameFault, readViews, viewsMax } from '../../console/ui/list-tools/views.js'

const usual = ['name', 'group', 'cost', 'time']
const read = (text: string, columns = usual) =>
  readChoice(text, columns).map(({ key, shown }) => (shown ? key : `-${key}`))

t.test('without a choice all columns are shown in their order', async (t) => {
  t.strictSame(read(''), usual)
  t.equal(choiceText(readChoice('', usual), usual), '')
})

t.test('a choice is read as it was written', async (t) => {
  const text = 'time,name,-group,cost'
  t.strictSame(read(text), text.split(','))
  t.equal(choiceText(readChoice(text, usual), usual), text)
})

t.test('lesser columns are hidden until they are chosen', async (t) => {
  const lesser = ['cost']
  const places = (text: string) => readChoice(text, usual, lesser)
  const shown = (text: string) => places(text).flatMap(({ key, shown: is }) => (is ? [key] : []))
  t.strictSame(shown(''), ['name', 'group', 'time'])
  t.equal(choiceText(places(''), usual, lesser), '')
  t.strictSame(shown('time,name'), ['time', 'name', 'group'], 'a choice that knows nothing of it')
  const all = usual.map((key) => ({ key, shown: true }))
  const text = choiceText(all, usual, lesser)
  t.equal(text, usual.join())
  t.strictSame(shown(text), usual)
})

t.test('a choice survives columns that go and come', async (t) => {
  t.strictSame(read('time,gone,-cost,name,group'), ['time', '-cost', 'name', 'group'])
  t.strictSame(read('cost,-name,time'), ['cost', '-name', 'group', 'time'])
  t.strictSame(read('time,cost', ['new', ...usual.slice(2)]), ['new', 'time', 'cost'])
})

t.test('a choice that repeats itself, or is none, shows each column once', async (t) => {
  t.strictSame(read('cost,-cost,cost,,--name'), ['name', 'group', 'cost', 'time'])
})

t.test(
  'views that cannot be read are passed over, and so are more than there may be',
  async (t) => {
    t.strictSame(readViews('broken'), [])
    const view = { name: 'Mine', words: { group: 'vip' } }
    t.strictSame(
      readViews([null, { name: 3, words: {} }, { ...view, words: { group: 'vip', page: 3 } }]),
      [view],
    )
    t.equal(readViews(Array(viewsMax + 5).fill(view)).length, viewsMax)
  },
)

t.test('a name is not empty, and not that of another view', async (t) => {
  const views = [
    { name: 'Mine', words: {} },
    { name: 'Yours', words: {} },
  ]
  t.equal(nameFault(views, ''), 'empty')
  t.equal(nameFault(views, 'mine'), 'taken')
  t.equal(nameFault(views, 'Yours', 'Mine'), 'taken')
  t.equal(nameFault(views, 'MINE', 'Mine'), undefined)
  t.equal(nameFault(Array(viewsMax).fill({ name: 'x', words: {} }), 'y'), 'full')
})

t.test('views are the same whatever the order of their words', async (t) => {
  t.ok(isSameView({ a: '1', b: '2' }, { b: '2', a: '1' }))
  t.notOk(isSameView({ a: '1' }, { a: '1', b: '2' }))
})
