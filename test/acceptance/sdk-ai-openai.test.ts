/** The `ai` package with its OpenAI provider, responses and chat, at an upstream of every format. */
import { createOpenAI } from '@ai-sdk/openai'
import t from 'tap'
import { aiClient, aiLoop, type Provider } from './kit/ai.js'
import { ownLoop } from './kit/extras.js'
import { type At, matrix } from './kit/matrix.js'

function providers({ url, key }: At): readonly Provider[] {
  const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey: key })
  return [
    {
      name: 'openai',
      wire: 'responses',
      abilities: {
        reasoning: true,
        seals: 'all',
        callSeals: false,
        counts: ['cacheRead', 'cacheWrite', 'reasoning'],
        errorWords: true,
        streamErrors: 'reported',
      },
      model: (name) => openai(name),
      // The library asks for reasoning where it takes the model, by its name, for one that reasons.
      options: ({ thinks }) => ({ openai: { store: false, ...(thinks && thinking) } }),
    },
    {
      name: 'openai.chat',
      wire: 'chat',
      abilities: {
        reasoning: false,
        seals: 'none',
        callSeals: false,
        counts: ['cacheRead', 'cacheWrite', 'reasoning'],
        errorWords: true,
        streamErrors: 'reported',
      },
      model: (name) => openai.chat(name),
      options: ({ thinks }) => ({ openai: { ...(thinks && { reasoningEffort: 'medium' }) } }),
    },
  ]
}

const thinking = { reasoningEffort: 'medium', reasoningSummary: 'auto', forceReasoning: true }

const gateway = await matrix(t, (at) => providers(at).map(aiClient))

for (const { name, wire, model, options } of providers(gateway)) {
  const plain = options({ model: '', stream: true })
  const by = { name: `ai with ${name}`, wire }
  ownLoop(t, gateway, by, (called, tell) => aiLoop(model(called), plain, tell))
}
