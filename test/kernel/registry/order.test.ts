/** The order in which plugins are created and started. */
import fc from 'fast-check'
import t from 'tap'
import { readManifest } from '../../../kernel/registry/manifest.js'
import { loadOrder } from '../../../kernel/registry/order.js'
import { manifestOf } from './plugins.js'

const read = (id: string, requires: readonly string[] = []) =>
  readManifest(JSON.stringify(manifestOf(id, { requires })), id)
const idsOf = (order: readonly { readonly id: string }[]) => order.map(({ id }) => id)

t.test('services come after what they require, stages and areas after services', async (t) => {
  const { order, cycles } = loadOrder(
    [
      read('management.a', ['identity']),
      read('stage.auth', ['identity']),
      read('service.identity', ['ledger']),
      read('service.ledger', ['database']),
      read('format.chat'),
    ],
    'options',
  )
  t.strictSame(cycles, [])
  t.strictSame(idsOf(order), [
    'format.chat',
    'service.ledger',
    'service.identity',
    'stage.auth',
    'management.a',
  ])
})

t.test('the source of settings comes first, with what it requires', async (t) => {
  const { order } = loadOrder(
    [read('format.chat'), read('service.a'), read('service.z'), read('service.options', ['z'])],
    'options',
  )
  t.strictSame(idsOf(order), ['service.z', 'service.options', 'format.chat', 'service.a'])
})

t.test('the order does not depend on how the plugins were found', async (t) => {
  const manifests = [
    read('service.a', ['c']),
    read('service.b'),
    read('service.c'),
    read('stage.auth', ['a']),
    read('endpoint.models', ['b']),
  ]
  const wanted = idsOf(loadOrder(manifests, 'options').order)
  fc.assert(
    fc.property(fc.shuffledSubarray(manifests, { minLength: manifests.length }), (shuffled) => {
      t.strictSame(idsOf(loadOrder(shuffled, 'options').order), wanted)
    }),
    { numRuns: 20 },
  )
})

t.test('services that require each other are named in a circle and are in no order', async (t) => {
  const { order, cycles } = loadOrder(
    [
      read('service.a', ['b']),
      read('service.b', ['c']),
      read('service.c', ['a']),
      read('service.own', ['own']),
      read('service.free'),
    ],
    'options',
  )
  t.strictSame(
    cycles.map(({ sentence }) => sentence),
    [
      'service.a requires service.b requires service.c requires service.a: a circle',
      'service.own requires service.own: a circle',
    ],
  )
  t.strictSame(idsOf(order), ['service.free'])
})
