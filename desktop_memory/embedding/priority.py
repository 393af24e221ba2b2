"""Makes a thread yield to what the person is doing."""

from __future__ import annotations

import os
import sys
import threading

_BEHIND = 10


def lower_this_thread() -> None:
    """Run this thread behind others; where the system has no such thing, nothing happens."""
    if sys.platform == "linux":
        thread = threading.get_native_id()  # Linux keeps a nice value a thread
        if os.getpriority(os.PRIO_PROCESS, thread) < _BEHIND:  # going back to it would not be allowed
            os.setpriority(os.PRIO_PROCESS, thread, _BEHIND)
    elif sys.platform == "win32":
        import ctypes

        kernel = ctypes.windll.kernel32
        kernel.SetThreadPriority(kernel.GetCurrentThread(), -1)  # THREAD_PRIORITY_BELOW_NORMAL
    elif sys.platform == "darwin":
        import ctypes

        ctypes.CDLL(None).pthread_set_qos_class_self_np(0x11, 0)  # QOS_CLASS_UTILITY
