/** Clouds of China that serve models of several makers. */
import { listIn } from '../vendor.js'
import {
  fourRoles,
  isChat,
  isResponses,
  noSystemTurns,
  ofMaker,
  refuses,
  rolesAre,
  rolesOfMessages,
  rule,
  toolsAreAuto,
  toolTypesAre,
} from './rules.js'
import type { Vendor } from './vendor.js'

const read = '2026-11-27'

const turns = noSystemTurns(rolesOfMessages)

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

/** By the number of its first version. */
export const baiduV1: Vendor = { ...baidu, name: 'Baidu, by its older number', type: 15 }

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
