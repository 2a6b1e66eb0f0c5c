/** What owners of keys read when a budget runs out. */
import type { NoticeLanguage } from '../../../kernel/toolkit/notifier/index.js'
import type { NewNotice } from '../notifications/index.js'
import type { Spent } from './budget-alerts.js'
import { moment } from './period.js'

const periods = {
  en: { day: 'daily', week: 'weekly', month: 'monthly' },
  zh: { day: '每日', week: '每周', month: '每月' },
} as const

export function noticeOf(spent: Spent, resetsAt: number, language: NoticeLanguage): NewNotice {
  const { name, used, budget_quota: quota, budget_period: period, percent } = spent
  const zh = language === 'zh'
  const [title, rest] = (zh ? zhWords : enWords)[percent]
  const content = zh
    ? `API 密钥“{{value}}”的${periods.zh[period]}预算 {{value}} 已使用 {{value}}。${rest}预算将于 {{value}} 重置。`
    : `The ${periods.en[period]} budget of the API key "{{value}}" is {{value}}, of which {{value}} are used. ${rest} It resets at {{value}}.`
  return {
    type: percent === 100 ? 'key_budget_used' : 'key_budget_low',
    title,
    content,
    values: [name, dollars(quota), dollars(used), moment(resetsAt)],
  }
}

const enWords = {
  80: ['An API key has used 80 % of its budget', 'Requests are refused once it is used up.'],
  100: ['The budget of an API key is used up', 'Its requests are refused until then.'],
} as const

const zhWords = {
  80: ['API 密钥已使用 80% 的预算', '预算用完后请求将被拒绝。'],
  100: ['API 密钥的预算已用完', '在此之前其请求将被拒绝。'],
} as const

/** As the family counts: 500,000 units of quota are a dollar. */
export function dollars(quota: bigint): string {
  return `$${Number(quota) / 500_000}`
}
