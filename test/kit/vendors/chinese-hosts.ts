/** Makers of models in China, and their hub, behind the chat format. */
import { isRecord, listIn } from '../vendor.js'
import {
  fourRoles,
  isChat,
  isResponses,
  noSystemTurns,
  ofMaker,
  refuses,
  resultsHaveThoughts,
  rolesAre,
  rolesOfMessages,
  rule,
  toolTypesAre,
} from './rules.js'
import type { Vendor } from './vendor.js'

const read = '2026-11-27'

const turns = noSystemTurns(rolesOfMessages)

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
