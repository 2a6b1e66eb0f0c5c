/** Options and their groups in the language of the person. Manifests speak English; what has no other words keeps them. */
import { computed, shallowRef, watchEffect } from 'vue'
import { useI18n } from 'vue-i18n'
import type { Option } from '../../api/options.js'
import { locale } from '../../shell/i18n.js'
import type { OptionGroup } from './sections.js'

const chinese = shallowRef<Readonly<Record<string, string>>>({})

export function useOptionWords() {
  const { t, te } = useI18n()
  watchEffect(async () => {
    if (locale.value === 'zh') chinese.value = (await import('./locales/zh-titles.js')).default
  })
  const titles = computed(() => (locale.value === 'zh' ? chinese.value : {}))

  return {
    titleOf: ({ key, title }: Option) => titles.value[key] ?? title,
    helpOf: ({ help = '' }: Option) => help,
    groupTitle({ id, title }: OptionGroup): string {
      const key = `options.groups.${id.replace(/\W/g, '_')}`
      return te(key) ? t(key) : title
    },
  }
}
