/**
 * How upstreams word that they do not know or do not take something, each as it was seen, read 2026-11-27. `field` is what they name, or
 * several with commas between them; `at` is where it stands. The first pattern that fits decides, so the exact ones stand first.
 */

export interface Wording {
  readonly pattern: RegExp
  /** Where the words, or words of their shape, were seen. */
  readonly source: string
  /** What they are about where they name nothing. Absent: what the pattern captures. */
  readonly field?: string
}

/** A name as it stands in a path of fields. */
const path = String.raw`[\w$][\w$.[\]/-]{0,199}`
const open = String.raw`["'\x60‘“]`
const close = String.raw`["'\x60’”]`
const quoted = `${open}(?<field>${path})${close}`
const list = `(?<field>${open}${path}${close}(?:(?:,| and) ?${open}${path}${close}){0,9})`
/** Without quotation marks only what no sentence is made of: names with an underscore or a dot, or in camel case. */
const evident = String.raw`\b(?<field>[a-z](?=\w{0,100}(?:[_.]\w|[a-z0-9][A-Z]))[\w.]{1,120})`
const kind = String.raw`(?:parameter|param|argument|field|property|properties|key|name|option|value|keyword)(?:s|\(s\))?`
const refused = `(?:not supported|unsupported|not permitted|not allowed|not recogni[sz]ed|deprecated|no longer supported|unknown)`
const strange = '[uU]nknown|[uU]nsupported|[uU]nsupport|[uU]nrecogni[sz]ed|[uU]nexpected'

export const wordings: readonly Wording[] = [
  {
    pattern: words(`unknown name ${quoted} at '(?<at>${path})'`),
    source: 'Gemini: github.com/zed-industries/zed/issues/44875',
  },
  {
    pattern: words(String.raw`unexpected value\(s\) ${list} for the \x60(?<at>[\w-]+)\x60 header`),
    source: 'Claude at Vertex: github.com/anthropics/claude-code/issues/12429',
  },
  {
    pattern: words('invalid beta flag'),
    source: 'Claude at Bedrock: github.com/BerriAI/litellm/pull/41203',
    field: 'anthropic-beta',
  },
  {
    pattern: words(`extra inputs are not permitted, field: ${quoted}`),
    source: 'Fireworks: github.com/anomalyco/opencode/issues/24696',
  },
  {
    pattern: words(String.raw`'loc': \((?<field>[^)]{1,200})\), 'msg': 'extra inputs`),
    source: 'vLLM: support.huaweicloud.com/intl/zh-cn/usermanual-maas-modelarts',
  },
  {
    pattern: words(`(?<field>${path}): extra (?:inputs|fields) (?:are )?not permitted`),
    source: 'Anthropic, Mistral: github.com/anthropics/claude-code/issues/31033',
  },
  {
    pattern: words(`(?<field>${path}): input tag ${open}`),
    source: 'Anthropic: github.com/dirac-run/dirac/issues/57',
  },
  {
    pattern: words(
      String.raw`(?:#/?(?<at>[\w./[\]-]{1,200})?: )?extraneous key \[(?<field>${path.replace('[\\]', '')})\]`,
    ),
    source: 'Bedrock: github.com/langchain-ai/langchain-aws/issues/62',
  },
  {
    pattern: words(
      String.raw`additional properties are not allowed \(${list} (?:was|were) unexpected\)(?: - '(?<at>${path})')?`,
    ),
    source: 'OpenAI: github.com/transitive-bullshit/agentic/issues/531',
  },
  {
    pattern: words(
      `unrecogni[sz]ed request arguments? supplied: (?<field>${path}(?:, ${path}){0,9})`,
    ),
    source: 'OpenAI, Azure: github.com/songquanpeng/one-api/issues/1423',
  },
  {
    pattern: words(`(?:'(?<at>${path})' ?: ?)?property ${quoted} is unsupported`),
    source: 'Groq: github.com/karthink/gptel/issues/774',
  },
  {
    pattern: words(`(?:(?:json|(?<at>${path})): )?unknown (?:variant|field) ${quoted}`),
    source: 'DeepSeek: github.com/BigPizzaV3/CodexPlusPlus/issues/631',
  },
  {
    pattern: words(
      `(?:${strange}|invalid) ${kind}(?: in object)?:? ${list}(?=[^.]*${refused}|.*expected one of|.*cannot find)`,
    ),
    source: 'OpenAI: github.com/idootop/mi-gpt/issues/142',
  },
  {
    pattern: words(`(?:${strange}) ${kind}(?: in object)?:? ${list}`),
    source: 'OpenAI: github.com/1jehuang/jcode/issues/1028; Perplexity: json: unknown field',
  },
  {
    pattern: words(`(?:${strange}) ${kind}: (?<field>${path}(?:, ${path}){0,9})`),
    source: 'Qwen: github.com/QwenLM/Qwen3/issues/822',
  },
  {
    pattern: exact(`(?:${strange}) ${kind} ${evident}`),
    source: 'DashScope: github.com/songquanpeng/one-api/issues/1701',
  },
  {
    pattern: words(`the ${kind} ${quoted} specified in the request`),
    source: 'Volcengine: github.com/Usagi-org/ai-goofish-monitor/issues/272',
  },
  {
    pattern: words(`${kind} not supported(?: on this model)?: (?<field>${path})`),
    source: 'xAI: github.com/n8n-io/n8n/issues/14581',
  },
  {
    pattern: words(`(?:does not|doesn't) support (?:the )?${kind} ${open}?(?<field>${path})`),
    source: 'xAI: github.com/open-webui/open-webui/issues/21266',
  },
  {
    pattern: words(
      String.raw`(?:does not|doesn't) support (?:the |this )?${open}?(?<field>${path})${close}? ${kind}\b`,
    ),
    source: 'Bedrock: github.com/langgenius/dify-official-plugins/issues/1767',
  },
  {
    pattern: exact(`(?:does not|doesn't) support (?:the |this )?${evident}`),
    source: 'DeepSeek: github.com/deepseek-ai/DeepSeek-V3/issues/1376',
  },
  {
    pattern: words(
      String.raw`(?<field>${path}): [\w ]{1,60} (?:is|are) not supported with this model`,
    ),
    source: 'Groq: github.com/vercel/ai/pull/8057',
  },
  {
    pattern: words(`${quoted}(?: ${kind})? (?:is|are) ${refused}`),
    source:
      'Anthropic: github.com/BitterSecurity/Decepticon/issues/107; iFlytek: github.com/liliMozi/openhanako/issues/2357',
  },
  {
    pattern: exact(`${evident}(?: ${kind})? (?:is|are) ${refused}`),
    source: 'OpenAI: github.com/openai/openai-openapi/issues/541',
  },
  {
    pattern: words(`不支持(?:的)?(?:参数|字段)[:： ]{0,2}${open}?(?<field>${path})`),
    source: 'General: no message of a vendor was found that names a field in these words',
  },
  {
    pattern: words(
      `(?:参数|字段)[:： ]{0,2}${open}?(?<field>${path})${close}? ?(?:不支持|已废弃|已弃用)`,
    ),
    source: 'General: no message of a vendor was found that names a field in these words',
  },
  {
    pattern: words('(?:unknown|unsupported|no such) model|模型不存在|不支持的模型'),
    source: 'Zhipu 1211: docs.bigmodel.cn/cn/api/api-code',
    field: 'model',
  },
  {
    pattern: words(
      String.raw`\bmodels?[ /:]{1,2}${open}?[\w.:/-]{1,100}${close}? (?:does not exist|(?:is |was )?not found|is not supported|(?:is|has been) (?:deprecated|decommissioned|retired))`,
    ),
    source: 'OpenAI, Gemini, Groq: portkey.ai/error-library, model_not_found',
    field: 'model',
  },
]

/** That something is unknown or not taken, whatever it is. An `unknown error` says nothing of the kind. */
export const strangeness =
  /\bunknown\b(?! (?:error|reason|exception|cause))|\bunsupport|not support|n't support|no longer (?:support|availab)|unrecogni[sz]ed|not recogni[sz]ed|extra (?:inputs|fields) |extra_forbidden|extraneous|additional propert|unexpected (?:value|field|key|param|argument|propert)|\bdeprecated\b|decommissioned|cannot find field|invalid beta flag|input tag |\bmodels?[^.]{1,100} does not exist|unknown_parameter|不支持|未知(?!错误)|无法识别|模型不存在|已废弃|已弃用|已下线/i

function words(text: string): RegExp {
  return new RegExp(text, 'gi')
}

/** Where a capital letter tells a name from a word. */
function exact(text: string): RegExp {
  return new RegExp(text, 'g')
}
