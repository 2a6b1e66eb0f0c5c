/** ARNs in the place of model ids: what they lead to, as the operator states it, and the region they name. */
import t from 'tap'
import create from '../../providers/bedrock/index.js'
import { account, adapterFor, callOf, channelWith } from './bedrock-adapters.js'

const arn = (kind: string, region = 'eu-west-1') => `arn:aws:bedrock:${region}:${account}:${kind}`
const profile = arn('application-inference-profile/a1b2c3')
const settings = { arn_models: { [profile]: 'anthropic.claude-sonnet-4-20250514-v1:0' } }

t.test('a stated model behind an ARN decides the format and the facts', async (t) => {
  const channel = channelWith(settings)
  const claude = adapterFor(profile, 'chat', undefined, channel)
  t.equal(claude.format, 'messages')
  t.equal(adapterFor(profile).format, 'own', 'one nobody states is called by Converse')
  const marked = { type: 'ephemeral', ttl: '1h' }
  const wire = {
    model: profile,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'x', cache_control: marked }] }],
  }
  t.same(claude.refuses!(wire, channel, profile), ['cache_control.ttl'], 'Sonnet 4 keeps no hour')
  t.match(claude.adjust!(wire, channel), {
    model: profile,
    messages: [{ content: [{ cache_control: { ttl: undefined, type: 'ephemeral' } }] }],
  })
  const plain = { model: profile, messages: [] }
  t.equal(claude.adjust!(plain, channel), plain, 'nothing changes where nothing must')
  const nova = { arn_models: { [profile]: 'amazon.nova-pro-v1:0' } }
  const takesOrders = adapterFor(profile, 'chat', undefined, channelWith(nova))
  t.equal(takesOrders, adapterFor('amazon.nova-pro-v1:0'), 'the adapter of its family')
  const embed = { arn_models: { [profile]: 'amazon.titan-embed-text-v2:0' } }
  t.ok(adapterFor(profile, 'embeddings', undefined, channelWith(embed)))
})

t.test('each kind of ARN goes to the API that serves it, in its own region', async (t) => {
  const rows = [
    [arn('inference-profile/eu.anthropic.claude-sonnet-4-5-20250929-v1:0'), 'invoke'],
    [
      `arn:aws:bedrock:eu-west-1::foundation-model/anthropic.claude-3-haiku-20240307-v1:0`,
      'invoke',
    ],
    [profile, 'converse'],
    [arn('provisioned-model/abcdef123456'), 'converse'],
    [arn('imported-model/abcdef123456'), 'converse'],
    [arn('custom-model-deployment/abcdef123456'), 'converse'],
    [arn('default-prompt-router/anthropic.claude:1'), 'converse'],
    [arn('prompt-router/abcdef123456'), 'converse'],
    [`arn:aws:sagemaker:eu-west-1:${account}:endpoint/my-endpoint`, 'converse'],
    [arn('inference-profile/eu.openai.gpt-5.6-sol'), 'converse'],
  ] as const
  for (const [model, verb] of rows) {
    const { url, headers } = callOf(adapterFor(model, 'chat', 'responses'), {}, { model })
    const path = `/model/${encodeURIComponent(model)}/${verb}`
    t.equal(url, `https://bedrock-runtime.eu-west-1.amazonaws.com${path}`, model)
    t.match(headers.authorization, /\/eu-west-1\/bedrock\/aws4_request/, 'signed for that region')
  }
  const { url } = callOf(adapterFor(profile), {}, { model: profile, key: 'ABSKkey|us-east-1' })
  t.match(url, /^https:\/\/bedrock-runtime\.eu-west-1\./)
})

t.test('a table of ARNs that cannot be meant is refused with the channel', async (t) => {
  const { faultOf } = create()
  t.equal(faultOf!(settings), undefined)
  t.equal(faultOf!({ arn_models: {} }), undefined)
  const bad = [
    [],
    'x',
    { [profile]: 1 },
    { 'no-arn': 'anthropic.claude-x' },
    { [profile]: 'claude' },
  ]
  for (const arn_models of bad)
    t.type(faultOf!({ arn_models }), 'string', JSON.stringify(arn_models))
})
