/** The gateway as anyone sees it, read once and kept. */
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { messageOf } from '../api/failure.js'
import { readStatus, type SiteStatus } from '../api/site.js'

export const useSite = defineStore('site', () => {
  const status = shallowRef<SiteStatus>()
  const problem = ref('')

  async function load(): Promise<void> {
    try {
      status.value = await readStatus()
      problem.value = ''
    } catch (error) {
      problem.value = messageOf(error)
    }
  }

  return { status, problem, load }
})
