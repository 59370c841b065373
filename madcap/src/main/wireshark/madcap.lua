-- Wireshark dissector for MADCAP (RFC 2730) with the nesting state option of RFC 2907.
-- Install: copy into the personal Lua plugins folder, or run  tshark -X lua_script:madcap.lua -r file

local madcap = Proto("madcap", "Multicast Address Dynamic Client Allocation Protocol")

local TYPES = { "DISCOVER", "OFFER", "REQUEST", "RENEW", "ACK", "NAK", "RELEASE", "GETINFO" }
local FAMILIES = { [1] = "IPv4", [2] = "IPv6" }
local FEATURES = { [0] = "Server Mobility", "Retry After", "Shared Lease Identifier" }
local ERRORS = {
    [0] = "Valid Request Could Not Be Completed", "Invalid Request", "Excessive Clock Skew",
    "Lease Identifier Not Recognized", "Required Feature Not Supported",
}
local OPTIONS = {
    [0] = "End", "Lease Time", "Server Identifier", "Lease Identifier", "Multicast Scope",
    "Option Request List", "Start Time", "Number of Addresses Requested", "Requested Language",
    "Multicast Scope List", "List of Address Ranges", "Current Time", "Feature List", "Retry Time",
    "Minimum Lease Time", "Maximum Start Time", "Error", "Multicast Scope Nesting State",
    [65535] = "no option in particular",
}
local ADDRESS_BYTES = { [1] = 4, [2] = 16 }

local f = {
    version = ProtoField.uint8("madcap.version", "Version"),
    type = ProtoField.uint8("madcap.type", "Message Type", base.DEC, TYPES),
    family = ProtoField.uint16("madcap.family", "Address Family", base.DEC, FAMILIES),
    xid = ProtoField.uint32("madcap.xid", "Transaction ID", base.HEX),
    option = ProtoField.uint16("madcap.option", "Option", base.DEC, OPTIONS),
    length = ProtoField.uint16("madcap.option.length", "Length"),
    seconds = ProtoField.uint32("madcap.seconds", "Seconds"),
    time = ProtoField.absolute_time("madcap.time", "Time", base.UTC),
    lease = ProtoField.bytes("madcap.lease_id", "Lease Identifier"),
    ipv4 = ProtoField.ipv4("madcap.ipv4", "Address"),
    ipv6 = ProtoField.ipv6("madcap.ipv6", "Address"),
    bytes = ProtoField.bytes("madcap.bytes", "Data"),
    minimum = ProtoField.uint16("madcap.minimum", "Minimum"),
    desired = ProtoField.uint16("madcap.desired", "Desired"),
    count = ProtoField.uint16("madcap.count", "Count"),
    language = ProtoField.string("madcap.language", "Language"),
    name = ProtoField.string("madcap.name", "Zone Name", base.UNICODE),
    preferred = ProtoField.bool("madcap.preferred", "Preferred Name", 8, nil, 0x80),
    ttl = ProtoField.uint8("madcap.ttl", "TTL"),
    feature = ProtoField.uint16("madcap.feature", "Feature", base.DEC, FEATURES),
    error = ProtoField.uint16("madcap.error", "Error", base.DEC, ERRORS),
}
madcap.fields = f

local malformed = ProtoExpert.new(
    "madcap.malformed", "Not as RFC 2730 demands", expert.group.MALFORMED, expert.severity.ERROR)
madcap.experts = { malformed }

-- Reads one option's value from its beginning to its end; too short a value is an error that
-- the caller turns into the expert information.
local Reader = {}
Reader.__index = Reader

function Reader:take(length)
    if length < 0 or self.at + length > self.value:len() then error("short") end
    local part = self.value(self.at, length)
    self.at = self.at + length
    return part
end

function Reader:left() return self.value:len() - self.at end

function Reader:add(tree, field, length)
    local part = self:take(length)
    return tree:add(field, part), part
end

function Reader:address(tree, family, label)
    local length = ADDRESS_BYTES[family]
    if not length then error("family") end
    local item = self:add(tree, family == 1 and f.ipv4 or f.ipv6, length)
    item:prepend_text(label .. " ")
end

local function seconds(r, tree) r:add(tree, f.seconds, 4) end

local function time(r, tree) r:add(tree, f.time, 4) end

local function server(r, tree)
    local _, family = r:add(tree, f.family, 2)
    local length = ADDRESS_BYTES[family:uint()]
    if length then
        r:address(tree, family:uint(), "Server")
    elseif r:left() > 0 then
        r:add(tree, f.bytes, r:left())
    end
end

local function zones(r, tree, family)
    if r:left() == 0 then return end
    local zone_count = r:take(1):uint()
    for zone = 1, zone_count do
        local branch = tree:add(madcap, r.value(r.at), "Zone " .. zone)
        local from = r.at
        r:address(branch, family, "First")
        r:address(branch, family, "Last")
        r:add(branch, f.ttl, 1)
        for _ = 1, r:take(1):uint() do
            r:add(branch, f.preferred, 1)
            r:add(branch, f.language, r:take(1):uint())
            r:add(branch, f.name, r:take(1):uint())
        end
        branch:set_len(r.at - from)
    end
end

local function ranges(r, tree, family)
    while r:left() > 0 do
        r:address(tree, family, "First")
        r:add(tree, f.count, 2)
    end
end

local function features(r, tree)
    for _, list in ipairs({ "Supported", "Requested", "Required" }) do
        for _ = 1, r:take(2):uint() do
            r:add(tree, f.feature, 2):prepend_text(list .. " ")
        end
    end
end

local function failure(r, tree)
    local _, code = r:add(tree, f.error, 2)
    local number = code:uint()
    if number < 2 then
        r:add(tree, f.option, 2)
    elseif number == 2 then
        r:add(tree, f.time, 4)
    elseif number == 4 then
        while r:left() > 0 do r:add(tree, f.feature, 2) end
    elseif r:left() > 0 then
        r:add(tree, f.bytes, r:left())
    end
end

local function nesting(r, tree)
    local zone_count = r:take(1):uint()
    for inner = 1, zone_count do
        local row = r:take(math.ceil((zone_count - 1) / 8))
        local outers, bit = {}, 0
        for outer = 1, zone_count do
            if outer ~= inner then
                if row:bitfield(bit, 1) == 1 then outers[#outers + 1] = outer end
                bit = bit + 1
            end
        end
        local inside = #outers > 0 and table.concat(outers, ", ") or "none"
        tree:add(madcap, row, "Zone " .. inner .. " lies in: " .. inside)
    end
end

local READERS = {
    [1] = seconds,
    [2] = server,
    [3] = function(r, tree) r:add(tree, f.lease, r:left()) end,
    [4] = function(r, tree, family) r:address(tree, family, "Scope") end,
    [5] = function(r, tree) while r:left() > 0 do r:add(tree, f.option, 2) end end,
    [6] = time,
    [7] = function(r, tree) r:add(tree, f.minimum, 2) r:add(tree, f.desired, 2) end,
    [8] = function(r, tree) if r:left() > 0 then r:add(tree, f.language, r:left()) end end,
    [9] = zones,
    [10] = ranges,
    [11] = time,
    [12] = features,
    [13] = time,
    [14] = seconds,
    [15] = time,
    [16] = failure,
    [17] = nesting,
}

local function dissect_option(value, code, family, branch)
    local reader = setmetatable({ value = value, at = 0 }, Reader)
    local read = READERS[code] or function(r, tree) r:add(tree, f.bytes, r:left()) end
    local ok = pcall(read, reader, branch, family)
    if not ok or reader:left() > 0 then branch:add_proto_expert_info(malformed) end
end

function madcap.dissector(buffer, info, tree)
    if buffer:len() < 12 or buffer(0, 1):uint() ~= 0 then return 0 end
    info.cols.protocol = "MADCAP"
    local type = buffer(1, 1):uint()
    info.cols.info = (TYPES[type] or "type " .. type) .. string.format(" xid 0x%08x", buffer(4, 4):uint())
    local root = tree:add(madcap, buffer())
    root:append_text(", " .. (TYPES[type] or "type " .. type))
    root:add(f.version, buffer(0, 1))
    root:add(f.type, buffer(1, 1))
    root:add(f.family, buffer(2, 2))
    root:add(f.xid, buffer(4, 4))
    local family, at, code = buffer(2, 2):uint(), 8, nil
    while at + 4 <= buffer:len() and code ~= 0 do
        code = buffer(at, 2):uint()
        local length = buffer(at + 2, 2):uint()
        local name = OPTIONS[code] or "Option " .. code
        local inside = math.min(length, buffer:len() - at - 4)
        local branch = root:add(madcap, buffer(at, 4 + inside), name)
        branch:add(f.option, buffer(at, 2))
        branch:add(f.length, buffer(at + 2, 2))
        if inside < length then
            branch:add_proto_expert_info(malformed)
        elseif length > 0 then
            dissect_option(buffer(at + 4, length), code, family, branch)
        end
        at = at + 4 + length
    end
    if code ~= 0 or at ~= buffer:len() then root:add_proto_expert_info(malformed) end
    return buffer:len()
end

DissectorTable.get("udp.port"):add(2535, madcap)
