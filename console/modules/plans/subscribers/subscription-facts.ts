/** What a subscription was agreed to be, as pairs of a name and its text. */
import type { Subscription } from '../../../api/subscriptions.js'
import { momentText } from '../../../ui/time.js'
import { renewalText, type TextTools } from './renewal-text.js'

type Fact = readonly [name: string, text: string]

export function factsOf(one: Subscription, tools: TextTools): readonly Fact[] {
  return [...timesOf(one, tools), ...termsOf(one, tools)]
}

function timesOf(one: Subscription, tools: TextTools): readonly Fact[] {
  const { t } = tools
  const isActive = one.status === 'active'
  return [
    [t('plans.columns.source'), t(`plans.sources.${one.source}`)],
    [t('plans.facts.began'), momentText(one.start_time)],
    ...(isActive ? [[t('plans.facts.period'), momentText(one.last_reset_time)] as const] : []),
    ...(isActive && one.next_reset_time > 0
      ? [[t('plans.columns.anew'), momentText(one.next_reset_time)] as const]
      : []),
    ...(isActive ? [] : [[t('plans.facts.ended'), momentText(one.ended_time)] as const]),
    [
      t(one.status === 'cancelled' ? 'plans.facts.wouldEnd' : 'plans.columns.ends'),
      momentText(one.end_time),
    ],
    ...(isActive ? [[t('plans.columns.renewal'), renewalText(one, tools)] as const] : []),
  ]
}

function termsOf(one: Subscription, { t }: TextTools): readonly Fact[] {
  const { models, groups, upgrade_group, downgrade_group, prev_user_group } = one
  return [
    [t('plans.form.models'), models.length > 0 ? models.join(', ') : t('plans.allModels')],
    [t('plans.form.groups'), groups.length > 0 ? groups.join(', ') : t('plans.allGroups')],
    [t('plans.form.overflow'), t(one.allow_wallet_overflow ? 'shell.yes' : 'shell.no')],
    ...(upgrade_group === '' ? [] : [[t('plans.form.upgrade'), upgrade_group] as const]),
    ...(upgrade_group === ''
      ? []
      : [[t('plans.form.downgrade'), downgrade_group || prev_user_group || '—'] as const]),
  ]
}
