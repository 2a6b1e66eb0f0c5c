/** The settings of the person, kept in this browser (UI-1). */
import { type Ref, shallowRef, watch } from 'vue'
import { recallJson, remember } from '../../shell/remembered.js'
import { readSettings, type Settings } from './settings.js'

export interface KeptSettings {
  readonly settings: Readonly<Ref<Settings>>
  change(changed: Partial<Settings>): void
}

/** `person`: several may use one browser. */
export function useSettings(person: number): KeptSettings {
  const place = `playground.settings.${person}`
  const settings = shallowRef(readSettings(recallJson(place)))
  watch(settings, (next) => remember(place, JSON.stringify(next)))
  return {
    settings,
    change(changed) {
      settings.value = { ...settings.value, ...changed }
    },
  }
}
