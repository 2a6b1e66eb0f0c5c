/** Words around rate cards, for the price list of users and the one of the operator. */
import { inWords } from '../../shell/i18n.js'
import type { Words } from '../../shell/module.js'
import { shippedText } from '../shipped-texts.js'

interface UnitWords {
  readonly one: Words
  readonly many: Words
}

const units: Readonly<Record<string, UnitWords>> = {
  second: unit('second', 'seconds', '秒'),
  minute: unit('minute', 'minutes', '分钟'),
  piece: unit('piece', 'pieces', '件'),
  task: unit('task', 'tasks', '个任务'),
  token: unit('token', 'tokens', 'token'),
}

const dimensions: Readonly<Record<string, Words>> = {
  resolution: { en: 'resolution', zh: '分辨率' },
  size: { en: 'size', zh: '尺寸' },
  audio: { en: 'audio', zh: '音频' },
  quality: { en: 'quality', zh: '质量' },
  mode: { en: 'mode', zh: '模式' },
  seconds: { en: 'seconds', zh: '秒数' },
  duration: { en: 'duration', zh: '时长' },
  aspect_ratio: { en: 'aspect ratio', zh: '宽高比' },
  action: { en: 'action', zh: '操作' },
  kind: { en: 'kind', zh: '类型' },
  way: { en: 'way', zh: '生成方式' },
  tier: { en: 'tier', zh: '服务等级' },
  draft: { en: 'draft', zh: '草稿' },
  off_peak: { en: 'off-peak', zh: '错峰' },
  voice: { en: 'voice', zh: '人声' },
  video_input: { en: 'video input', zh: '视频输入' },
  recommended_prompt: { en: 'recommended prompt', zh: '推荐提示词' },
  mv: { en: "maker's model", zh: '厂商模型' },
  instrumental: { en: 'instrumental', zh: '纯音乐' },
}

function unit(one: string, many: string, zh: string): UnitWords {
  return { one: { en: one, zh }, many: { en: many, zh } }
}

export function unitWord(key: string, count: string): string {
  const known = Object.hasOwn(units, key) ? units[key] : undefined
  return known === undefined ? shippedText(key) : inWords(count === '1' ? known.one : known.many)
}

export function dimensionWord(key: string): string {
  const known = Object.hasOwn(dimensions, key) ? dimensions[key] : undefined
  return known === undefined ? shippedText(key) : inWords(known)
}

export const phrases = {
  per: (price: string, name: string) =>
    inWords({ en: `${price} per ${name}`, zh: `${price} / ${name}` }),
  of: (name: string, value: string | number) =>
    inWords({ en: `${name}: ${value}`, zh: `${name}：${value}` }),
  without: (name: string) => inWords({ en: `no ${name}`, zh: `无${name}` }),
  otherwise: () => inWords({ en: 'otherwise', zh: '其他' }),
  atLeast: (count: string, name: string) =>
    inWords({ en: `at least ${count} ${name}`, zh: `至少 ${count} ${name}` }),
  whole: (name: string) => inWords({ en: `in whole ${name}`, zh: `按整${name}计` }),
  steps: (count: string, name: string) =>
    inWords({ en: `in steps of ${count} ${name}`, zh: `以 ${count} ${name}为一档` }),
  further: (count: number) =>
    inWords({ en: `${count} further prices`, zh: `另有 ${count} 个价格` }),
  separator: () => inWords({ en: ', ', zh: '，' }),
} as const
