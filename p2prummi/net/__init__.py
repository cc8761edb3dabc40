"""The peer in the real world: keys on disk, TLS links, discovery by mDNS, and the driver.

Below this package nothing knows of sockets, clocks, threads or the system's entropy; all of that is here.
"""
