/** What services of China are known to refuse of a chat request, or to need beside the format. */
import { ofMaker } from './chat-facts.js'
import type { ServiceFacts } from './chat-needs.js'

const read = '2026-11-27'

export const tencent: ServiceFacts = {
  choosesTools: {
    models: /^(?:hy\d|hunyuan)/,
    source: 'cloud.tencent.com/document/product/1823/130930 (tool_choice is auto)',
    read,
  },
}

/** The models below `/v1`, whose calls of tools are one object, and not a list, without the switch. */
export const iflytek: ServiceFacts = {
  besideTools: {
    models: /^(?:lite|generalv3|generalv3\.5|pro-128k|max-32k|4\.0Ultra)$/,
    members: { tool_calls_switch: true },
    source: 'xfyun.cn/doc/spark/HTTP调用文档.html',
    read,
  },
}

export const stepfun: ServiceFacts = {
  efforts: [
    {
      models: /^step-3\.5/,
      known: ['low', 'high'],
      source: 'github.com/anomalyco/models.dev/pull/1988',
      read,
    },
    {
      models: /^step-(?:3\.7|5)/,
      known: ['low', 'medium', 'high'],
      source: 'platform.stepfun.com/docs/zh/guides/models/step-3.7-flash',
      read,
    },
  ],
}

/** The open models of the third generation; not -Instruct-2507 and -Thinking-2507, which do only one of the two. */
export const modelscope: ServiceFacts = {
  thinksInStreams: {
    models: /^Qwen\/Qwen3-\d+(?:\.\d+)?B(?:-A\d+B)?$/i,
    source: 'github.com/musistudio/claude-code-router/issues/948',
    read,
  },
}

export const mimo: ServiceFacts = {
  members: [
    {
      members: ofMaker,
      source:
        'github.com/openclaw/openclaw/issues/82976 (members it does not know are refused since May 2026), github.com/Gitlawb/openclaude/pull/1253 (store)',
      read,
    },
  ],
  newerLimit: {
    source:
      'platform.xiaomimimo.com/docs/zh-CN/api/chat/openai-api, godex.ahoo.me/03-provider-development/xiaomi-reference (max_tokens is not taken)',
    read,
  },
  thoughts: {
    source: 'platform.xiaomimimo.com/docs/en-US/usage-guide/passing-back-reasoning_content',
    read,
  },
  plainContent: {
    source:
      'github.com/XiaomiMiMo/MiMo/issues/44 (a list of texts), github.com/XiaomiMiMo/MiMo-V2-Flash/issues/8 (null)',
    read,
  },
}

export const huawei: ServiceFacts = {
  members: [
    {
      members: ofMaker,
      source: 'support.huaweicloud.com/usermanual-maas-modelarts/maas-modelarts-0080.html',
      read,
    },
  ],
}
