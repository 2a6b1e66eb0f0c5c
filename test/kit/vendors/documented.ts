/** Services of which nothing was found beyond the format they document. */
import { noSystemTurns, rolesOfMessages } from './rules.js'
import type { Vendor } from './vendor.js'

const of = (name: string, type: number | string, model: string): Vendor => {
  return { name, type, models: [model], rules: [noSystemTurns(rolesOfMessages)] }
}
const named = (name: string, key: string, model: string): Vendor => {
  return of(name, `chat-compatible/${key}`, model)
}

/** They pass on what each format's maker has. */
const gateway = (name: string, type: number | string): Vendor => {
  return { name, type, models: ['m-1'], rules: [], takes: ['context_management'] }
}

export const documented: readonly Vendor[] = [
  of('Tencent', 23, 'hunyuan-turbos-latest'),
  of('iFlytek', 18, '4.0Ultra'),
  of('Baidu', 46, 'ernie-5.0'),
  of('Baidu, by its older number', 15, 'ernie-5.0'),
  of('360', 19, '360gpt2-pro'),
  of('01.AI', 31, 'yi-lightning'),
  of('Submodel', 53, 'zai-org/GLM-4.5-FP8'),
  named('Together', 'together', 'deepseek-ai/DeepSeek-V4'),
  named('Hugging Face', 'huggingface', 'openai/gpt-oss-120b'),
  named('GitHub Models', 'github-models', 'openai/gpt-4.1'),
  named('StepFun', 'stepfun', 'step-3.5'),
  named('ModelScope', 'modelscope', 'Qwen/Qwen3-235B-A22B'),
  named('Xiaomi MiMo', 'mimo', 'mimo-v2.5-pro'),
  named('Huawei MaaS', 'huawei-maas', 'deepseek-v3.2'),
  gateway('New API', 60),
  gateway('LiteLLM', 'chat-compatible/litellm'),
]
