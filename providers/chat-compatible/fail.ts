/** Whose fault a refusal is, where its status alone does not say: what these services write in it. */
import type { Failure } from '../../kernel/contract/failure.js'
import type { AdapterBase } from '../../kernel/contract/provider.js'
import {
  type ErrorFields,
  nestedError,
  upstreamFailure,
} from '../../kernel/toolkit/errors/index.js'
import type { Fact } from '../../kernel/toolkit/vendors/index.js'

interface BlameFact extends Fact {
  /** Absent: with any. */
  readonly status?: number
  readonly code?: RegExp
  readonly message?: RegExp
  readonly param?: RegExp
  readonly blame: Failure['blame']
}

const read = '2026-11-27'

const blames: readonly BlameFact[] = [
  // Together: more tokens than the model's context has.
  {
    status: 403,
    message: /max_(?:new_)?tokens|context length/i,
    blame: 'client',
    source: 'docs.together.ai/docs/error-codes',
    read,
  },
  // Huawei: the content is refused.
  {
    status: 403,
    code: /^ModelArts\.81011$/,
    blame: 'client',
    source: 'support.huaweicloud.com/usermanual-maas-modelarts/maas-modelarts-0080.html',
    read,
  },
  // Hugging Face: none of the account's providers has the model.
  {
    status: 400,
    code: /^model_not_supported$/,
    blame: 'channel',
    source: 'github.com/cline/cline/issues/5098',
    read,
  },
  // ModelScope: no provider has the model.
  {
    status: 400,
    message: /^Model id ?: ?.*has no provider supported/i,
    blame: 'channel',
    source: 'github.com/musistudio/claude-code-router/issues/901',
    read,
  },
  // MiMo: no such model; its message is the same for whatever is wrong.
  {
    status: 400,
    param: /^Not supported model /i,
    blame: 'channel',
    source:
      'github.com/can1357/oh-my-pi/issues/4064, github.com/XiaomiMiMo/MiMo/issues/44 (the form)',
    read,
  },
  // iFlytek: the application may not use the model or has used it up, or calls too fast.
  {
    code: /^(?:11200|11202)$/,
    blame: 'channel',
    source: 'xfyun.cn/document/error-code, github.com/CCLMSY/nonebot-plugin-sparkapi/issues/8',
    read,
  },
  // Tencent: no such model, or not for this account.
  {
    message: /^The model or service ID .* does not exist/i,
    blame: 'channel',
    source: 'cloud.tencent.com/document/product/409/136469',
    read,
  },
]

export const fail: AdapterBase['fail'] = (status, headers, head) =>
  upstreamFailure({ status, headers, head }, (body) => {
    const fields = nestedError(body)
    return fields && { ...fields, ...blameOf(fields, status) }
  })

function blameOf(
  { code = '', message = '', param = '' }: ErrorFields,
  status: number,
): Pick<ErrorFields, 'blame'> {
  const fact = blames.find(
    (one) =>
      (one.status ?? status) === status &&
      (one.code?.test(code) ?? true) &&
      (one.message?.test(message) ?? true) &&
      (one.param?.test(param) ?? true),
  )
  return fact === undefined ? {} : { blame: fact.blame }
}
