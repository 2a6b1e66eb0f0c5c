/** Media tasks: what was made, what is being made, and what each cost. */
import { Clapperboard } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'Media tasks', zh: '媒体任务' }

export default defineModule({
  id: 'tasks',
  routes: [
    {
      path: '/tasks',
      name: 'tasks',
      title,
      frame: 'app',
      role: 1,
      page: () => import('./tasks-page.vue'),
    },
  ],
  menu: [
    {
      route: 'tasks',
      title,
      icon: Clapperboard,
      section: 'use',
      order: 45,
      role: 1,
      under: 'logs',
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
