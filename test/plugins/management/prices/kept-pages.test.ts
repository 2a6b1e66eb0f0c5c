/** The public page of prices is made once for all who see the same, and again as soon as anything on it changes. */
import t from 'tap'
import { type KeptServices, keptPages } from '../../../../plugins/management/prices/kept-pages.js'

function world() {
  let made = 0
  const facts = { endpoints: [], isChat: true, hidden: false }
  const quote = { mode: 'ratio', figures: { model_ratio: 1 } }
  const book = () => ({ priced: () => true, quote: () => quote }) as never
  const state = {
    usable: ['default'] as readonly string[],
    ratio: 1,
    chain: ['default'] as readonly string[],
    channels: [] as readonly never[],
    revision: 1,
    prices: book(),
    book,
  }
  const services = (): KeptServices => ({
    routing: {
      usableGroups: () => state.usable.map((name) => ({ name, ratio: state.ratio, desc: '' })),
      autoRoutes: () => [{ key: 'auto', display_name: '', groups: state.chain }],
    },
    channels: {
      all: () => state.channels,
      models() {
        made += 1
        return ['m']
      },
    },
    registry: { describe: () => facts, revision: () => state.revision },
    prices: state.prices,
  })
  const pages = keptPages()
  return {
    state,
    page: () => pages(services(), { group: 'default', role: 1 }),
    made: () => made,
  }
}

t.test('a page is made once for all who see the same', async (t) => {
  const { page, made, state } = world()
  const first = page()
  for (let at = 0; at < 100; at += 1) t.equal(page(), first)
  t.equal(made(), 1)
  state.usable = ['vip']
  t.not(page(), first, 'who may use other groups sees another page')
  state.usable = ['default']
  t.equal(page(), first, 'and both are kept')
  t.equal(made(), 2)
})

t.test('whatever changes on the page makes it anew', async (t) => {
  const changes: readonly [string, (state: ReturnType<typeof world>['state']) => void][] = [
    ['a channel', (state) => Object.assign(state, { channels: [] })],
    ['what is known of models', (state) => Object.assign(state, { revision: 2 })],
    ['a price', (state) => Object.assign(state, { prices: state.book() })],
    ['a ratio of a group', (state) => Object.assign(state, { ratio: 2 })],
    ['a chain of groups', (state) => Object.assign(state, { chain: ['vip'] })],
  ]
  for (const [what, change] of changes) {
    const { page, made, state } = world()
    page()
    change(state)
    page()
    t.equal(made(), 2, what)
  }
})

t.test('kept pages are bounded', async (t) => {
  const { page, made, state } = world()
  for (let at = 0; at < 65; at += 1) {
    state.usable = [`group ${at}`]
    page()
  }
  state.usable = ['group 0']
  page()
  t.equal(made(), 66, 'the first one was dropped with the others')
})
