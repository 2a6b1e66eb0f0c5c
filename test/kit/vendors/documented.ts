/** Services of which nothing was found beyond the format they document. */
import { noSystemTurns, rolesOfMessages } from './rules.js'
import type { Vendor } from './vendor.js'

const of = (name: string, type: number | string, model: string): Vendor => {
  return { name, type, models: [model], rules: [noSystemTurns(rolesOfMessages)] }
}
const named = (name: string, key: string, model: string): Vendor => {
  return of(name, `chat-compatible/${key}`, model)
}

export const documented: readonly Vendor[] = [
  of('Tencent', 23, 'hunyuan-turbos-latest'),
  of('iFlytek', 18, '4.0Ultra'),
  of('Baidu', 46, 'ernie-5.0'),
  named('Together', 'together', 'deepseek-ai/DeepSeek-V4'),
  named('Hugging Face', 'huggingface', 'openai/gpt-oss-120b'),
  named('GitHub Models', 'github-models', 'openai/gpt-4.1'),
  named('StepFun', 'stepfun', 'step-3.5'),
  named('ModelScope', 'modelscope', 'Qwen/Qwen3-235B-A22B'),
  named('Xiaomi MiMo', 'mimo', 'mimo-v2.5-pro'),
  named('Huawei MaaS', 'huawei-maas', 'deepseek-v3.2'),
]
