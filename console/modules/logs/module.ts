/** The usage log: what each request was, and what it cost and why. */
import { ScrollText } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'Usage log', zh: '使用日志' }

export default defineModule({
  id: 'logs',
  routes: [
    {
      path: '/logs',
      name: 'logs',
      title,
      frame: 'app',
      role: 1,
      page: () => import('./logs-page.vue'),
    },
    {
      path: '/logs/:requestId',
      name: 'logs.trace',
      title: { en: 'Trace of a request', zh: '请求追踪' },
      frame: 'app',
      role: 1,
      page: () => import('./trace/trace-page.vue'),
    },
  ],
  menu: [
    {
      route: 'logs',
      title,
      icon: ScrollText,
      section: 'use',
      order: 40,
      role: 1,
      called: { en: 'Logs', zh: '日志' },
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
