/** The mapping stage where the upstream has a format of its own: what it cannot say never reaches it. */
import t from 'tap'
import type { Picked } from '../../../../kernel/contract/line/record.js'
import type { Adapter } from '../../../../kernel/contract/provider.js'
import create from '../../../../plugins/stages/mapping/index.js'
import { opened } from '../../../kit/line-fakes.js'

const call = {
  model: 'asked-for',
  turns: [],
  tools: [],
  stream: false,
  wantsUsage: false,
  sampling: {},
}

function mapped(own: Partial<Adapter>, over: object = {}) {
  const state = opened()
  const adapter: Adapter = { ...state.adapter, format: 'own', ...own }
  const picked = {
    ...state,
    adapter,
    call: () => ({ ...call, ...over }),
    model: 'test-model',
  } as unknown as Picked
  return create({ services: { formats: {} } } as never).run(picked)
}

const encode: Adapter['encode'] = ({ model }) => ({ text: model })

t.test('without losses the call is encoded under the model of the upstream', async (t) => {
  t.match(mapped({ encode }), {
    wire: { value: { text: 'test-model' } },
    lost: [],
    verbatim: false,
  })
})

t.test(
  '[FMT-9] what the upstream cannot say is refused by name, and another channel may be tried',
  async (t) => {
    const failed = mapped({
      encode: () => {
        throw new Error('never called')
      },
      unsupportedFields: () => ({ refuse: ['tools', 'media'], report: ['user'] }),
    })
    t.match(failed, {
      failure: {
        blame: 'client',
        code: 'not_expressible',
        param: 'tools',
        message: /tools, media/,
      },
      retry: true,
    })
  },
)

t.test('[FMT-9] what is cosmetic goes on to be reported', async (t) => {
  const unsupportedFields: Adapter['unsupportedFields'] = ({ model }) => ({
    refuse: [],
    report: [model],
  })
  t.match(mapped({ encode, unsupportedFields }), { lost: ['test-model'] })
})

t.test(
  '[FMT-9] of an adapter that names nothing, tools and JSON mode are not lost in silence',
  async (t) => {
    const tools = [{ kind: 'function', name: 'now' }]
    t.match(mapped({ encode }, { tools }), { failure: { param: 'tools' }, retry: true })
    t.match(mapped({ encode }, { output: { kind: 'json' } }), { failure: { param: 'output' } })
    t.match(mapped({ encode }, { sampling: { temperature: 0 } }), {
      lost: ['sampling.temperature'],
    })
    t.match(mapped({ encode, expresses: ['tools'] }, { tools }), { lost: [], verbatim: false })
  },
)
