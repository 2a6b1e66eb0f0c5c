/** The page of prices in a whole gateway: real groups, real channels, with a session and without. */
import t from 'tap'
import { model, scriptedGateway } from '../../../kit/scripted-gateway.js'

const gateway = await scriptedGateway(t, { channel: { models: `${model},unpriced,special` } })
const { admin, url } = gateway

t.test('the page shows what the default group serves at its prices', async (t) => {
  const { id: vendor_id } = await admin.must('POST', '/api/vendors/', { name: 'Acme' })
  await admin.must('POST', '/api/models/', { model_name: 'gpt-', name_rule: 1, vendor_id })
  await admin.must('PUT', '/api/prices/', { changes: { special: { model_price: 0.5 } } })
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what is tested.
  const anyone: any = await (await fetch(`${url}/api/pricing`)).json()
  t.match(anyone, {
    success: true,
    data: [
      {
        model_name: model,
        owner_by: 'Acme',
        vendor_id,
        quota_type: 0,
        model_ratio: 1,
        completion_ratio: 4,
        enable_groups: ['default'],
      },
      { model_name: 'special', quota_type: 1, model_price: 0.5, enable_groups: ['default'] },
    ],
    vendors: [{ id: vendor_id, name: 'Acme' }],
    group_ratio: { default: 1 },
    auto_groups: ['default'],
  })
  t.equal(anyone.data.length, 2)
  t.ok('default' in anyone.usable_group)
  const root = await admin.must('GET', '/api/pricing')
  t.strictSame(
    root.map(({ model_name }: { model_name: string }) => model_name),
    [model, 'special'],
  )
  t.strictSame(await admin.must('GET', '/api/prices/missing'), ['unpriced'])
  t.strictSame(await admin.must('GET', '/api/models/missing'), ['special', 'unpriced'])
  t.match((await admin.must('GET', '/api/models/')).items, [
    { matched_models: [model], bound_channels: [{ id: gateway.channelId, name: 'scripted' }] },
  ])
})

t.test('whoever has the page already is sent nothing until it changes', async (t) => {
  const read = (etag?: string) =>
    fetch(`${url}/api/pricing`, { headers: etag === undefined ? {} : { 'if-none-match': etag } })
  const first = await read()
  const etag = first.headers.get('etag')!
  t.match(etag, /^"[\w-]{43}"$/)
  t.equal(first.headers.get('cache-control'), 'private, no-cache')
  const body = await first.text()
  const again = await read(etag)
  t.strictSame([again.status, await again.text()], [304, ''])
  await admin.must('PUT', '/api/prices/', { changes: { special: { model_price: 0.75 } } })
  const changed = await read(etag)
  t.equal(changed.status, 200)
  t.equal(await changed.text(), body.replace('"model_price":0.5', '"model_price":0.75'))
})
