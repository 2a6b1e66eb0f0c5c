/** The services agents are tried at, in three groups that take about as long. */
import { anthropic } from './anthropic.js'
import {
  bedrockClaude,
  bedrockLlama,
  bedrockMistral,
  bedrockNova,
  bedrockOpenai,
  bedrockOthers,
} from './bedrock.js'
import { baidu, baiduV1, huawei, iflytek, tencent } from './chinese-clouds.js'
import { mimo, modelscope, stepfun } from './chinese-hosts.js'
import { cloudflare } from './cloudflare.js'
import { codeAssistant } from './code-assistant.js'
import { cohere } from './cohere.js'
import { dashscope } from './dashscope.js'
import { deepseek } from './deepseek.js'
import { documented } from './documented.js'
import { gemini } from './gemini.js'
import { groq } from './groq.js'
import { minimax } from './minimax.js'
import { mistral } from './mistral.js'
import { moonshot } from './moonshot.js'
import { azure, azureClaude, openai, openaiChat } from './openai.js'
import { openrouter } from './openrouter.js'
import { perplexity } from './perplexity.js'
import { custom, routes } from './routes.js'
import { servers } from './servers.js'
import { siliconflow } from './siliconflow.js'
import { cerebras, fireworks, nvidia, together } from './strict-hosts.js'
import type { Vendor } from './vendor.js'
import { vertexClaude, vertexGemini, vertexMistral, vertexOpen } from './vertex.js'
import { modelark, volcengine } from './volcengine.js'
import { xai } from './xai.js'
import { zhipu, zhipuV3 } from './zhipu.js'

export type { Vendor } from './vendor.js'

/** Makers of the formats, and clouds that serve their models. */
export const makers: readonly Vendor[] = [
  openai,
  openaiChat,
  azure,
  azureClaude,
  codeAssistant,
  anthropic,
  bedrockClaude,
  bedrockNova,
  bedrockMistral,
  bedrockLlama,
  bedrockOthers,
  bedrockOpenai,
  vertexClaude,
  vertexGemini,
  vertexMistral,
  vertexOpen,
  gemini,
]

/** Makers of models who speak the formats of others. */
export const speakers: readonly Vendor[] = [
  deepseek,
  dashscope,
  zhipu,
  zhipuV3,
  moonshot,
  volcengine,
  modelark,
  minimax,
  mistral,
  xai,
  perplexity,
  cohere,
]

/** Hosts of open models, and servers of one's own. */
export const hosts: readonly Vendor[] = [
  siliconflow,
  openrouter,
  cloudflare,
  groq,
  cerebras,
  fireworks,
  nvidia,
  together,
  tencent,
  iflytek,
  baidu,
  baiduV1,
  stepfun,
  modelscope,
  mimo,
  huawei,
  ...servers,
  ...documented,
  custom,
  ...routes,
]
