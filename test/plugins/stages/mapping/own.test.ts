/** The mapping stage where the upstream has a format of its own: what it cannot say never reaches it. */
import t from 'tap'
import type { Picked } from '../../../../kernel/contract/exchange.js'
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

function mapped(own: Partial<Adapter>) {
  const state = opened()
  const adapter: Adapter = { ...state.adapter, format: 'own', ...own }
  const picked = { ...state, adapter, call: () => call, model: 'test-model' } as unknown as Picked
  return create({ services: { formats: {} } } as never).run(picked)
}

const encode: Adapter['encode'] = ({ model }) => ({ said: model })

t.test('without losses the call is encoded under the model of the upstream', async (t) => {
  t.match(mapped({ encode }), {
    wire: { value: { said: 'test-model' } },
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
      cannotExpress: () => ({ refuse: ['tools', 'media'], report: ['user'] }),
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
  const cannotExpress: Adapter['cannotExpress'] = ({ model }) => ({ refuse: [], report: [model] })
  t.match(mapped({ encode, cannotExpress }), { lost: ['test-model'] })
})
