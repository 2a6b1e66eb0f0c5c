/** Services of China behind the chat format. */
import { isRecord, listIn } from '../vendor.js'
import {
  isChat,
  isResponses,
  noSystemTurns,
  refuses,
  resultsHaveThoughts,
  rolesAre,
  rolesOfMessages,
  rule,
  toolsAreAuto,
  toolTypesAre,
} from './rules.js'
import type { Vendor } from './vendor.js'

const read = '2026-11-27'

const turns = noSystemTurns(rolesOfMessages)
const ofMaker = ['store', 'verbosity', 'prompt_cache_key', 'prompt_cache_retention']
const fourRoles = ['system', 'user', 'assistant', 'tool']

export const tencent: Vendor = {
  name: 'Tencent',
  type: 23,
  models: ['hy3', 'deepseek-v4-flash'],
  rules: [
    turns,
    toolsAreAuto({
      of: (request) => isChat(request) || isResponses(request),
      models: /^hy/,
      source: 'cloud.tencent.com/document/product/1823/130930',
      read,
    }),
    rule(
      'The model does not support responses',
      { of: isResponses, source: 'cloud.tencent.com/document/product/1823/132252', read },
      ({ model }) => model !== 'hy3',
    ),
    toolTypesAre(['function'], {
      source: 'cloud.tencent.com/document/product/1823/132252',
      read,
    }),
  ],
}

export const iflytek: Vendor = {
  name: 'iFlytek',
  type: 18,
  models: ['4.0Ultra'],
  rules: [
    turns,
    rolesAre(fourRoles, { source: 'xfyun.cn/doc/spark/Spark-X2.5.html', read }),
    rule(
      'calls of tools are one object unless tool_calls_switch is true',
      { source: 'xfyun.cn/doc/spark/HTTP调用文档.html', read },
      (body) => listIn(body, 'tools').length > 0 && body.tool_calls_switch !== true,
    ),
  ],
  takes: ['tool_calls_switch'],
}

export const baidu: Vendor = {
  name: 'Baidu',
  type: 46,
  models: ['ernie-5.0'],
  rules: [
    turns,
    rolesAre(fourRoles, {
      of: isChat,
      source: 'cloud.baidu.com/doc/qianfan-api/s/wmwbl48n4',
      read,
    }),
    toolTypesAre(['function'], { source: 'cloud.baidu.com/doc/qianfan-api/s/vmhejnuy8', read }),
  ],
}

const ofStep = {
  of: isResponses,
  source: 'platform.stepfun.com/docs/zh/api-reference (responses)',
  read,
}

export const stepfun: Vendor = {
  name: 'StepFun',
  type: 'chat-compatible/stepfun',
  models: ['step-3.7-flash', 'step-3.5-flash'],
  rules: [
    turns,
    rolesAre(fourRoles, {
      source: 'platform.stepfun.com/docs/zh/api-reference/chat/chat-completion-create',
      read,
    }),
    toolTypesAre(['function'], ofStep),
    rule('Tool choice must be auto', ofStep, ({ tool_choice: choice }) => {
      return choice !== undefined && choice !== 'auto'
    }),
    rule('The model does not support responses', ofStep, ({ model }) => model !== 'step-3.7-flash'),
    rule(
      'reasoning_effort must be low or high',
      {
        of: isChat,
        models: /^step-3\.5/,
        source: 'github.com/anomalyco/models.dev/pull/1988',
        read,
      },
      ({ reasoning_effort: effort }) => effort !== undefined && !/^(?:low|high)$/.test(`${effort}`),
    ),
    rule(
      'reasoning_effort must be low, medium or high',
      {
        models: /^step-3\.7/,
        source: 'platform.stepfun.com/docs/zh/guides/models/step-3.7-flash',
        read,
      },
      (body) => {
        const effort = isRecord(body.reasoning) ? body.reasoning.effort : body.reasoning_effort
        return effort !== undefined && !/^(?:low|medium|high)$/.test(`${effort}`)
      },
    ),
  ],
}

export const modelscope: Vendor = {
  name: 'ModelScope',
  type: 'chat-compatible/modelscope',
  models: ['Qwen/Qwen3-235B-A22B'],
  rules: [
    turns,
    rule(
      'parameter.enable_thinking must be set to false for non-streaming calls',
      { of: isChat, source: 'github.com/musistudio/claude-code-router/issues/948', read },
      ({ stream, enable_thinking: thinking }) => stream !== true && thinking !== false,
    ),
  ],
  takes: ['enable_thinking'],
}

export const mimo: Vendor = {
  name: 'Xiaomi MiMo',
  type: 'chat-compatible/mimo',
  models: ['mimo-v2.5-pro'],
  rules: [
    turns,
    refuses(['max_tokens'], {
      of: isChat,
      source:
        'platform.xiaomimimo.com/docs/zh-CN/api/chat/openai-api, godex.ahoo.me/03-provider-development/xiaomi-reference',
      read,
    }),
    refuses(ofMaker, {
      of: isChat,
      source: 'github.com/openclaw/openclaw/issues/82976, github.com/Gitlawb/openclaude/pull/1253',
      read,
    }),
    resultsHaveThoughts({
      source: 'platform.xiaomimimo.com/docs/en-US/usage-guide/passing-back-reasoning_content',
      read,
    }),
    rule(
      '`text` is not set',
      {
        of: isChat,
        source:
          'github.com/XiaomiMiMo/MiMo/issues/44 (results), github.com/XiaomiMiMo/MiMo-V2-Flash/issues/8 (null)',
        read,
      },
      (body) =>
        listIn(body, 'messages').some(
          ({ role, content }) =>
            content === null ||
            content === undefined ||
            (role === 'tool' && typeof content !== 'string'),
        ),
    ),
    rule(
      'reasoning.effort must be none, low, medium or high',
      { of: isResponses, source: 'mimo.mi.com/docs/en-US/api/chat/responses', read },
      ({ reasoning }) =>
        isRecord(reasoning) &&
        reasoning.effort !== undefined &&
        !/^(?:none|low|medium|high)$/.test(`${reasoning.effort}`),
    ),
    toolTypesAre(['function'], { source: 'mimo.mi.com/docs/en-US/api/chat/responses', read }),
  ],
  takes: ['thinking'],
}

export const huawei: Vendor = {
  name: 'Huawei MaaS',
  type: 'chat-compatible/huawei-maas',
  models: ['deepseek-v4-flash'],
  rules: [
    turns,
    rolesAre([...fourRoles, 'function'], {
      of: isChat,
      source: 'support.huaweicloud.com/model-call-maas/model-call-035.html',
      read,
    }),
    refuses(ofMaker, {
      of: isChat,
      source: 'support.huaweicloud.com/usermanual-maas-modelarts/maas-modelarts-0080.html',
      read,
    }),
    rule(
      'invalid function name: None',
      { of: isChat, source: 'github.com/musistudio/claude-code-router/issues/1322', read },
      (body) => listIn(body, 'tools').some(({ type }) => type !== 'function'),
    ),
    {
      rule: 'The messages format takes the key in x-api-key',
      source: 'support.huaweicloud.com/model-call-maas/model-call-022.html',
      read,
      broken: ({ path, headers }) => path.includes('/messages') && headers['x-api-key'] !== 'k',
    },
  ],
}
