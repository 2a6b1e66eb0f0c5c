/** What is wrong with settings that nobody saved here is logged once, and known for as long as it stands. */
import t from 'tap'
import type { Provider } from '../../../kernel/contract/provider.js'
import { settingsFaults } from '../../../plugins/services/channels/settings-faults.js'
import { keptLines } from '../../kit/kept-lines.js'

const message = 'the settings of a channel have a fault'

function looking(faultOf: NonNullable<Provider['faultOf']>) {
  const { log, fields } = keptLines()
  const provider = (type: number) => (type === 1 ? { operations: {}, faultOf } : undefined)
  const faults = settingsFaults({ providers: { provider }, log })
  const row = { id: 5, type: 1, status: 1, settings: {} } as const
  return { faults, row, told: () => fields(message) }
}

const ofWord: NonNullable<Provider['faultOf']> = ({ word }) =>
  word === undefined ? undefined : `The word is ${word}.`

t.test('a fault is told once for as long as it stands', async (t) => {
  const { faults, row, told } = looking(ofWord)
  faults.look(row)
  t.same(told(), [])
  const bad = { ...row, settings: { word: 'a' } }
  for (let at = 0; at < 3; at++) faults.look(bad)
  t.same(told(), [{ channelId: 5, fault: 'The word is a.' }])
  t.equal(faults.of(5), 'The word is a.')
  faults.look({ ...row, settings: { word: 'b' } })
  t.equal(told().length, 2, 'another fault is another line')
  faults.look({ ...bad, id: 6 })
  t.equal(told().length, 3, 'and so is that of another channel')
  faults.look(row)
  t.equal(faults.of(5), undefined)
  faults.look(bad)
  t.equal(told().length, 4, 'one that is back is told again')
  faults.forget(5)
  faults.look(bad)
  t.equal(told().length, 5, 'as is that of a channel made anew')
})

t.test(
  'a channel that is switched off, or whose provider is not there, is not judged',
  async (t) => {
    const { faults, row, told } = looking(ofWord)
    const settings = { word: 'a' }
    faults.look({ ...row, settings, status: 2 })
    faults.look({ ...row, settings, type: 2 })
    t.same(told(), [])
  },
)

t.test('a provider that fails over its judgement harms no channel', async (t) => {
  const { faults, row, told } = looking(() => {
    throw new Error('broken')
  })
  faults.look(row)
  t.same(told(), [{ channelId: 5, fault: 'The provider could not judge them.' }])
})
